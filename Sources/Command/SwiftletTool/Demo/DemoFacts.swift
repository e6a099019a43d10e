import Foundation
import Swiftlet
import SwiftletJSON

/// On what the demonstration ran, and how.
struct DemoFacts {
  var seed: UInt64
  var side: Int
  var frameCount: Int
  var runtime: RuntimeOptions
  var folder: String

  var entries: [(name: String, value: String)] {
    var entries: [(name: String, value: String)] = [
      ("Swiftlet", Program.version), ("Instructions", InstructionSet.current.rawValue),
      ("Threads", "\(runtime.threads)"),
      ("Integers", runtime.numerics.rawValue), ("Pictures", "\(side) × \(side)"), ("Seed", "\(seed)"),
    ]
    if let processor = Self.processor { entries.insert(("Processor", processor), at: 1) }
    return entries
  }

  let note =
    "The program's own models were trained on pictures, sounds and sentences of the same kind, made from other seeds; they are for trying the library, not for photographs, recordings and texts. "
    + "Times are the middle of several calls."

  var command: String { "swiftlet demo --output-dir \(folder) --seed \(seed)" + more }
  /// The options for models of others, with a space in front of each.
  var more = ""

  var json: JSONValue {
    .object([
      "version": .string(Program.version), "isa": .string(InstructionSet.current.rawValue),
      "processor": .optional(Self.processor),
      "threads": .int(runtime.threads), "numerics": .string(runtime.numerics.rawValue), "seed": .int(Int(seed)),
      "size": .int(side),
    ])
  }

  /// What the system calls the processor, if it says.
  private static var processor: String? {
    #if canImport(Darwin)
      var size = 0
      guard sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0) == 0, size > 1 else { return nil }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctlbyname("machdep.cpu.brand_string", &bytes, &size, nil, 0) == 0 else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    #else
      guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else { return nil }
      let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
      return line?.split(separator: ":", maxSplits: 1).last.map { $0.trimmingCharacters(in: .whitespaces) }
    #endif
  }
}
