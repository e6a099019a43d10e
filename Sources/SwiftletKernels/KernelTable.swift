/// The kernels chosen for this processor.
package struct KernelTable: Sendable {
  package static let current = KernelTable()
}
