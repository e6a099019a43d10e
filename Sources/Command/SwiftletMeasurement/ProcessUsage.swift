import SwiftletBase

/// What this process holds of the system at one moment.
package struct ProcessUsage: Sendable, Hashable {
  /// Memory that is really there, in bytes.
  package var residentBytes: Int
  /// Open files, sockets and the like.
  package var descriptors: Int
  package var threads: Int

  /// What it holds now. `nil` on systems without `/proc/self`, which is where the numbers come from.
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
    // The folder lists itself, its parent, and the descriptor that reads it.
    return count - 3
  }
}

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

/// What Linux tells about this process in `/proc/self/status`.
enum ProcessStatus {
  /// The number behind `key`, as it stands there: sizes are in kibibytes. `nil` on systems without that file.
  static func number(_ key: String) -> Int? {
    SystemText.value(of: key, in: "/proc/self/status")?.split(separator: " ").first.flatMap { Int($0) }
  }
}

/// The time that processors spend on this process.
package enum ProcessorTime {
  /// Of all threads together, in milliseconds.
  package static func spent() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// Waits until no thread of this process works any more: worker threads may look for new work for a while before they
  /// sleep, and would take processor time from the next measurement. Gives up after a fifth of a second.
  package static func waitUntilIdle() {
    for _ in 0..<100 {
      let before = spent()
      usleep(2000)
      if spent() - before < 0.3 { return }
    }
  }
}

/// What the processor calls itself.
package enum ProcessorName {
  /// `nil` where the system does not say, as Linux on most arm64 machines.
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

/// What Linux says in files of lines `key: value`.
enum SystemText {
  /// The value behind the first `key` in a file, without the spaces around it; `nil` on systems without that file.
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
