import SwiftletBase

/// The system resources that this process uses at one moment.
package struct ProcessUsage: Sendable, Hashable {
  /// The resident memory in bytes.
  package var residentBytes: Int
  /// The number of open files, sockets, and other descriptors.
  package var descriptors: Int
  package var threads: Int

  /// Returns the current usage, or `nil` on systems without `/proc/self`, which is the source of the numbers.
  package static func now() -> ProcessUsage? {
    guard let resident = ProcessStatus.number("VmRSS"), let threads = ProcessStatus.number("Threads"),
      let descriptors = descriptorCount()
    else {
      return nil
    }
    return ProcessUsage(residentBytes: resident * 1024, descriptors: descriptors, threads: threads)
  }

  private static func descriptorCount() -> Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // The directory lists itself, its parent, and the descriptor that reads it.
    return count - 3
  }
}

/// The growth of this process's peak memory.
package struct ProcessMemory: Sendable {
  private let baseline: Int

  /// Starts measuring. On Linux, the process's peak is reset to its current usage. Elsewhere, the peak so far is the
  /// baseline.
  package init() {
    // Read the peak once before measuring, because the code that reads it takes memory too.
    _ = Self.peakResidentBytes()
    Self.resetPeak()
    baseline = Self.peakResidentBytes()
  }

  /// The increase of the peak since the start, in bytes.
  package var growth: Int { max(0, Self.peakResidentBytes() - baseline) }

  /// Returns the peak resident memory of this process, in bytes.
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

  /// Returns `VmHWM` on Linux. Unlike the usage above, it isn't inherited from the parent process, and it can be reset.
  private static func statusPeak() -> Int? { ProcessStatus.number("VmHWM").map { $0 * 1024 } }

  private static func resetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }
}

/// The status of this process that Linux reports in `/proc/self/status`.
enum ProcessStatus {
  /// Returns the number after `key`, unconverted: sizes are in kibibytes. `nil` on systems without that file.
  static func number(_ key: String) -> Int? {
    SystemText.value(of: key, in: "/proc/self/status")?.split(separator: " ").first.flatMap { Int($0) }
  }
}

/// The CPU time of this process.
package enum ProcessorTime {
  /// Returns the CPU time of all threads together, in milliseconds.
  package static func spent() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// Waits until all threads of this process are idle. Worker threads can poll for new work for a while before they
  /// sleep, which would take CPU time from the next measurement. Gives up after 0.2 seconds.
  package static func waitUntilIdle() {
    for _ in 0..<100 {
      let before = spent()
      usleep(2000)
      if spent() - before < 0.3 { return }
    }
  }
}

/// The model name of the CPU.
package enum ProcessorName {
  /// The name, or `nil` if the system doesn't report it, as Linux on most arm64 machines.
  package static var current: String? {
    #if canImport(Darwin)
      var size = 0
      guard sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0) == 0, size > 1 else { return nil }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctlbyname("machdep.cpu.brand_string", &bytes, &size, nil, 0) == 0 else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    #else
      return SystemText.value(of: "model name", in: "/proc/cpuinfo")
    #endif
  }
}

/// Reads files of `key: value` lines, as Linux provides them.
enum SystemText {
  /// Returns the value after the first `key` in a file, without surrounding spaces; `nil` on systems without that file.
  static func value(of key: String, in path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix(key), let colon = text.firstIndex(of: ":"),
        text[..<colon].dropFirst(key.count).allSatisfy(\.isWhitespace)
      else { continue }
      let value = text[text.index(after: colon)...].drop(while: \.isWhitespace)
      return String(value.reversed().drop(while: \.isWhitespace).reversed())
    }
    return nil
  }
}
