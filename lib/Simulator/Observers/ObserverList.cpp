//===- ObserverList.cpp - several observers at one time -------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/Observer.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx::sim;

bool ObserverList::wantsAccesses() const {
  return llvm::any_of(
      list, [](const Observer *observer) { return observer->wantsAccesses(); });
}

std::unique_ptr<Observer> ObserverList::fork() const {
  auto result = std::make_unique<ObserverList>();
  for (const Observer *observer : list) {
    std::unique_ptr<Observer> fork = observer->fork();
    if (!fork)
      return nullptr;
    result->add(*fork);
    result->owned.push_back(std::move(fork));
  }
  return result;
}

void ObserverList::join(Observer &fork) {
  auto &forks = static_cast<ObserverList &>(fork);
  for (auto [observer, other] : llvm::zip_equal(list, forks.list))
    observer->join(*other);
}

bool ObserverList::onIssue(const IssueEvent &event) {
  bool goOn = true;
  for (Observer *observer : list)
    goOn &= observer->onIssue(event);
  return goOn;
}

void ObserverList::onLaunchBegin(const LaunchEvent &event) {
  for (Observer *observer : list)
    observer->onLaunchBegin(event);
}

void ObserverList::onLaunchEnd(const LaunchEvent &event) {
  for (Observer *observer : list)
    observer->onLaunchEnd(event);
}

void ObserverList::onCtaBegin(Cta &cta) {
  for (Observer *observer : list)
    observer->onCtaBegin(cta);
}

void ObserverList::onCtaEnd(Cta &cta) {
  for (Observer *observer : list)
    observer->onCtaEnd(cta);
}

void ObserverList::onInstruction(const InstructionEvent &event) {
  for (Observer *observer : list)
    observer->onInstruction(event);
}

void ObserverList::onBranch(const BranchEvent &event) {
  for (Observer *observer : list)
    observer->onBranch(event);
}

void ObserverList::onAccess(const AccessEvent &event) {
  for (Observer *observer : list)
    observer->onAccess(event);
}

void ObserverList::onSync(const SyncEvent &event) {
  for (Observer *observer : list)
    observer->onSync(event);
}

void ObserverList::onMatrix(const MatrixEvent &event) {
  for (Observer *observer : list)
    observer->onMatrix(event);
}

void ObserverList::onAsyncBegin(const AsyncEvent &event) {
  for (Observer *observer : list)
    observer->onAsyncBegin(event);
}

void ObserverList::onAsyncEnd(const AsyncEvent &event) {
  for (Observer *observer : list)
    observer->onAsyncEnd(event);
}

void ObserverList::onError(const Report &report) {
  for (Observer *observer : list)
    observer->onError(report);
}
