/// Whether there is memory for something large. An array that does not fit ends the program. So code that makes an
/// array of a size from outside asks first.
package enum AvailableMemory {
  /// Blocks below this size are not checked: a program that cannot have them cannot do anything.
  private static let small = 1 << 26

  /// Whether the system would give a block of that size, and the machine has as much memory at all: many systems
  /// promise more than they have.
  package static func has(_ byteCount: Int) -> Bool {
    guard byteCount >= small else { return byteCount >= 0 }
    let (pages, pageSize) = (Int(sysconf(Int32(_SC_PHYS_PAGES))), Int(sysconf(Int32(_SC_PAGESIZE))))
    let (memory, overflow) = pages.multipliedReportingOverflow(by: pageSize)
    // A system that does not say how much there is answers -1.
    guard pages <= 0 || pageSize <= 0 || overflow || byteCount <= memory, let block = malloc(byteCount) else {
      return false
    }
    free(block)
    return true
  }
}
