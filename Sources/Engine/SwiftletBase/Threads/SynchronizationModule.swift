// A lock around a value and an atomic word under the names that the standard `Synchronization` module gives them.
//
// On Apple's platforms that module needs macOS 15 and iOS 18, newer ones than this package asks for, so there `Mutex` and
// `Atomic` are those of this module, with the members that are in use. Everywhere else they are the standard ones.
#if !canImport(os)
  package import Synchronization

  package typealias Atomic<Value: AtomicRepresentable> = Synchronization.Atomic<Value>
  package typealias Mutex<Value: ~Copyable> = Synchronization.Mutex<Value>
#endif
