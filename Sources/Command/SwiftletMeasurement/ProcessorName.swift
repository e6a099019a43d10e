import SwiftletBase

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
