import Foundation
import Swiftlet
import SwiftletJSON
import SwiftletMeasurement

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
    if let processor = ProcessorName.current { entries.insert(("Processor", processor), at: 1) }
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
      "processor": .optional(ProcessorName.current),
      "threads": .int(runtime.threads), "numerics": .string(runtime.numerics.rawValue), "seed": .int(Int(seed)),
      "size": .int(side),
    ])
  }
}
