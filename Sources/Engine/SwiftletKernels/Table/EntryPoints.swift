/// The entry points of a kernel set, which exists as long as the program.
///
/// Unchecked `Sendable` because the set is constant.
struct EntryPoints<KernelSet>: @unchecked Sendable {
  let address: UnsafePointer<KernelSet>

  @inline(__always) var call: KernelSet { address.pointee }
}
