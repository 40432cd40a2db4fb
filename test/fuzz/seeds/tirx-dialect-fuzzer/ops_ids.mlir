func.func @ids() {
  %0 = tirx.id lane_id
  %1 = tirx.id warp_id
  %2 = tirx.id warp_id_in_wg
  %3 = tirx.id warpgroup_id
  %4 = tirx.id thread_id
  %5 = tirx.id thread_id_in_wg
  %6 = tirx.id cta_id_x
  %7 = tirx.id cta_id_y
  %8 = tirx.id cta_id_z
  %9 = tirx.id cta_id_in_cluster
  %10 = tirx.id cluster_id_x
  %11 = tirx.id cluster_id_y
  %12 = tirx.id cluster_id_z
  return
}
