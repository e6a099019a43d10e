import SwiftletBase

/// The most memory that this process had, over what it has now.
package struct ProcessMemory: Sendable {
  private let baseline: Int

  /// Starts counting. On Linux the process's peak is put back to what it has now, elsewhere the peak so far is the
  /// baseline.
  package init() {
    // Once before it counts: reading the figures takes memory for the code that reads them.
    _ = Self.peakResidentBytes()
    Self.resetPeak()
    baseline = Self.peakResidentBytes()
  }

  /// How far the peak has risen since, in bytes.
  package var growth: Int { max(0, Self.peakResidentBytes() - baseline) }

  /// The most resident memory this process had, in bytes.
  package static func peakResidentBytes() -> Int { statusPeak() ?? usagePeak() }

  private static func usagePeak() -> Int {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      // Linux counts kibibytes.
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss * 1024
    #endif
  }

  /// `VmHWM` of Linux: unlike the usage above it is not inherited from the program that started this one, and can be
  /// put back.
  private static func statusPeak() -> Int? { ProcessStatus.number("VmHWM").map { $0 * 1024 } }

  private static func resetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }
}
