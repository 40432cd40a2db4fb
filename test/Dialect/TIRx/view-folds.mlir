// RUN: tirx-opt %s -canonicalize -allow-unregistered-dialect | FileCheck %s

#split = #tirx.tile<S[(8, 2, 32) : (64, 32, 1)]>
#t = #tirx.tile<S[(64, 8) : (1, 64)]>
!row = !tirx.buffer<8x64xf16, shared>
!split = !tirx.buffer<8x64xf16, shared, #split>
!t = !tirx.buffer<64x8xf16, shared, #t>

// A rename of the same type is its source.
// CHECK-LABEL: func.func @nothing
// CHECK-SAME: (%[[A:.*]]: !tirx.buffer
// CHECK-NEXT: return %[[A]], %[[A]], %[[A]], %[[A]]
func.func @nothing(%a: !row) -> (!row, !row, !row, !row) {
  %0 = tirx.view %a[0, 0] : !row -> !row
  %1 = tirx.permute %a[0, 1] : !row -> !row
  %2 = tirx.reshape %a : !row -> !row
  %3 = tirx.layout_cast %a : !row -> !row
  return %0, %1, %2, %3 : !row, !row, !row, !row
}

// There and back.
// CHECK-LABEL: func.func @back
// CHECK-SAME: (%[[A:.*]]: !tirx.buffer
// CHECK-NEXT: return %[[A]], %[[A]], %[[A]]
func.func @back(%a: !row) -> (!row, !row, !row) {
  %0 = tirx.permute %a[1, 0] : !row -> 64x8xf16
  %1 = tirx.permute %0[1, 0] : !t -> !row
  %2 = tirx.reshape %a : !row -> 512xf16
  %3 = tirx.reshape %2 : !tirx.buffer<512xf16, shared> -> 8x64xf16
  %4 = tirx.layout_cast %a : !row -> !split
  %5 = tirx.layout_cast %4 : !split -> !row
  return %1, %3, %5 : !row, !row, !row
}

// Every view looks through a layout_cast.
// CHECK-LABEL: func.func @through
// CHECK-SAME: (%[[A:.*]]: !tirx.buffer
// CHECK-NOT: layout_cast
// CHECK-DAG: tirx.view %[[A]][2, 0]
// CHECK-DAG: tirx.permute %[[A]][1, 0]
// CHECK-DAG: tirx.reshape %[[A]]
func.func @through(%a: !row) -> (!tirx.buffer<2x64xf16, shared, #tirx.tile<S[(2, 64) : (64, 1)] + 128>>, !t, !tirx.buffer<512xf16, shared>) {
  %0 = tirx.layout_cast %a : !row -> !split
  %1 = tirx.view %0[2, 0] : !split -> !tirx.buffer<2x64xf16, shared, #tirx.tile<S[(2, 64) : (64, 1)] + 128>>
  %2 = tirx.permute %0[1, 0] : !split -> !t
  %3 = tirx.reshape %0 : !split -> !tirx.buffer<512xf16, shared>
  return %1, %2, %3 : !tirx.buffer<2x64xf16, shared, #tirx.tile<S[(2, 64) : (64, 1)] + 128>>, !t, !tirx.buffer<512xf16, shared>
}

// CHECK-LABEL: func.func @views
// CHECK-SAME: (%[[A:.*]]: !tirx.buffer{{.*}}, %[[I:.*]]: index, %[[J:.*]]: index)
// Static offsets add; a dynamic one meets 0.
// CHECK: %[[V:.*]] = tirx.view %[[A]][3, %[[I]]]
// CHECK-NOT: tirx.view
// CHECK: "use"(%[[V]])
// Two dynamic offsets stay two views.
// CHECK: %[[D:.*]] = tirx.view %[[A]][0, %[[I]]]
// CHECK: tirx.view %[[D]][0, %[[J]]]
func.func @views(%a: !row, %i: index, %j: index) {
  %0 = tirx.view %a[1, 0] : !row -> 6x64xf16
  %1 = tirx.view %0[2, %i] : !tirx.buffer<6x64xf16, shared, #tirx.tile<S[(6, 64) : (64, 1)] + 64>> -> 2x8xf16
  "use"(%1) : (!tirx.buffer<2x8xf16, shared, #tirx.tile<S[(2, 8) : (64, 1)] + 192>>) -> ()
  %2 = tirx.view %a[0, %i] : !row -> 8x16xf16
  %3 = tirx.view %2[0, %j] : !tirx.buffer<8x16xf16, shared, #tirx.tile<S[(8, 16) : (64, 1)]>> -> 8x4xf16
  "use"(%3) : (!tirx.buffer<8x4xf16, shared, #tirx.tile<S[(8, 4) : (64, 1)]>>) -> ()
  return
}

// In the source of the inner view, dimension 0 has two strides: the dynamic
// offset needs the inner view's one.
// CHECK-LABEL: func.func @strides
// CHECK: %[[V:.*]] = tirx.view %{{.*}}[8, 0]
// CHECK: tirx.view %[[V]][%{{.*}}, 0]
func.func @strides(%a: !tirx.buffer<64x8xf16, shared, #tirx.tile<S[(8, 8, 8) : (1024, 8, 1)]>>, %i: index) {
  %0 = tirx.view %a[8, 0] : !tirx.buffer<64x8xf16, shared, #tirx.tile<S[(8, 8, 8) : (1024, 8, 1)]>> -> 8x8xf16
  %1 = tirx.view %0[%i, 0] : !tirx.buffer<8x8xf16, shared, #tirx.tile<S[(8, 8) : (8, 1)] + 1024>>
      -> !tirx.buffer<2x8xf16, shared, #tirx.tile<S[(2, 8) : (8, 1)] + 1024>>
  "use"(%1) : (!tirx.buffer<2x8xf16, shared, #tirx.tile<S[(2, 8) : (8, 1)] + 1024>>) -> ()
  return
}
