// RUN: tirx-opt %s -split-input-file -verify-diagnostics

// barrier_c1
func.func @f() {
  // expected-error @+1 {{expected scope warp, warpgroup, cta or cluster, got thread}}
  tirx.barrier thread
  return
}

// -----

// barrier_c2
func.func @f() {
  // expected-error @+1 {{expected id(1) to id(15) for a warpgroup barrier, got no id: hardware barrier 0 is the cta barrier}}
  tirx.barrier warpgroup
  return
}

// -----

// barrier_c2
func.func @f() {
  // expected-error @+1 {{expected id to be 1 to 15, got 16}}
  tirx.barrier warpgroup id(16)
  return
}

// -----

// barrier_c2
func.func @f() {
  // expected-error @+1 {{expected id to be 1 to 15, got 0}}
  tirx.barrier warpgroup id(0)
  return
}

// -----

// barrier_c2
func.func @f() {
  // expected-error @+1 {{expected id to be 1 to 15, got -1}}
  tirx.barrier warpgroup id(-1)
  return
}

// -----

// barrier_c2
func.func @f() {
  // expected-error @+1 {{expected no id for a cta barrier, got id(1)}}
  tirx.barrier cta id(1)
  return
}

// -----

// barrier_c2
func.func @f() {
  // expected-error @+1 {{expected no id for a warp barrier, got id(1)}}
  tirx.barrier warp id(1)
  return
}

// -----

// mbarrier_init_c1
func.func @f(%bar: !tirx.buffer<1x!tirx.mbarrier, shared>, %i: index) {
  // expected-error @+1 {{expected count to be 1 to 1048575, got 0}}
  tirx.mbarrier_init %bar[%i] count(0) : !tirx.buffer<1x!tirx.mbarrier, shared>
  return
}

// -----

// mbarrier_init_c1
func.func @f(%bar: !tirx.buffer<1x!tirx.mbarrier, shared>, %i: index) {
  // expected-error @+1 {{expected count to be 1 to 1048575, got 1048576}}
  tirx.mbarrier_init %bar[%i] count(1048576) : !tirx.buffer<1x!tirx.mbarrier, shared>
  return
}

// -----

func.func @f(%bar: !tirx.buffer<1xi64, shared>, %i: index) {
  // expected-error @+1 {{operand #0 must be buffer of mbarriers of rank 1}}
  tirx.mbarrier_init %bar[%i] count(1) : !tirx.buffer<1xi64, shared>
  return
}

// -----

func.func @f(%bar: !tirx.buffer<2x2x!tirx.mbarrier, shared>, %i: index) {
  // expected-error @+1 {{operand #0 must be buffer of mbarriers of rank 1}}
  tirx.mbarrier_arrive %bar[%i] : !tirx.buffer<2x2x!tirx.mbarrier, shared>
  return
}

// -----

// commit_c1
func.func @f(%bar: !tirx.buffer<1x!tirx.mbarrier, shared>, %i: index) {
  // expected-error @+1 {{expected cta_group 1 or 2, got 3}}
  tirx.commit %bar[%i] cta_group(3) : !tirx.buffer<1x!tirx.mbarrier, shared>
  return
}

// -----

// wait_group_c1
func.func @f() {
  // expected-error @+1 {{expected pending to be 0 to 7, got 8}}
  tirx.wait_group wgmma pending(8)
  return
}

// -----

// wait_group_c1
func.func @f() {
  // expected-error @+1 {{expected pending to be 0 to 63, got -1}}
  tirx.wait_group bulk pending(-1)
  return
}

// -----

// wait_group_c2
func.func @f() {
  // expected-error @+1 {{expected read with bulk only, got cp_async}}
  tirx.wait_group cp_async pending(0) read
  return
}
