import Foundation
import Swiftlet
import SwiftletImage
import SwiftletJSON
import SwiftletMeasurement
import SwiftletSyntheticData
import SwiftletTracking
import SwiftletVision

/// The machine and settings of the demo.
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
      ("Integers", runtime.numerics.rawValue), ("Images", "\(side) × \(side)"), ("Seed", "\(seed)"),
    ]
    if let processor = ProcessorName.current { entries.insert(("Processor", processor), at: 1) }
    return entries
  }

  let note =
    "The program's own models were trained on images, sounds and sentences of the same kind, made from other seeds; they are for trying the library, not for photographs, recordings and texts. "
    + "Times are the middle of several calls."

  var command: String { "swiftlet demo --output-dir \(folder) --seed \(seed)" + more }
  /// The options for third-party models, each preceded by a space.
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

/// The latency of a task.
struct DemoTimes {
  var task: String
  var title: String
  /// The file of the model.
  var model: String
  /// The name of a call's input, in the singular.
  var unit: String
  /// The times in milliseconds of several calls per input. There is at least one input.
  var samples: [Sample]

  /// The median over all inputs' medians, in milliseconds.
  var medianLatency: Double { Sample(samples.map(\.median)).median }
  var fastest: Double { samples.map(\.smallest).min() ?? 0 }
  /// The p90 latency.
  var slow: Double { Sample(samples.flatMap(\.values)).quantile(0.9) }
  var callCount: Int { samples.reduce(0) { $0 + $1.count } }

  var text: String { String(format: "%.2f ms", medianLatency) }

  /// Returns the name of a command padded to a column.
  static func padded(_ task: String) -> String {
    task.padding(toLength: max(20, task.count + 1), withPad: " ", startingAt: 0)
  }
}

/// Runs a task several times on the same input.
enum DemoTimer {
  private static let maximumRuns = 15
  private static let budget = Duration.milliseconds(150)

  /// Returns the result of a call, and the times of further calls.
  static func time<Value>(_ body: () throws -> Value) rethrows -> (value: Value, latency: Sample) {
    let clock = ContinuousClock()
    let value = try body()
    var times: [Double] = []
    let start = clock.now
    repeat {
      let before = clock.now
      _ = try body()
      times.append(before.duration(to: clock.now) / .milliseconds(1))
    } while times.count < 3 || (times.count < maximumRuns && start.duration(to: clock.now) < budget)
    return (value, Sample(times))
  }
}

/// Compares detections with the ground truth of generated images.
enum DemoGroundTruth {
  /// The minimum overlap of boxes that match, as usual in evaluations.
  static let leastOverlap = 0.5

  static func rectangle(_ box: LabelBox, _ image: InputImage) -> PixelRect {
    let (width, height) = (Double(image.width), Double(image.height))
    return PixelRect(
      x: Double(box.left) * width, y: Double(box.top) * height, width: Double(box.right - box.left) * width,
      height: Double(box.bottom - box.top) * height)
  }

  /// Returns pairs of detected and generated boxes, best overlap first; each box is used once.
  ///
  /// - Parameter isAlike: A closure that returns whether two boxes, given by their indices, may match.
  static func matches(_ found: [PixelRect], _ drawn: [PixelRect], isAlike: (Int, Int) -> Bool) -> [(
    found: Int, drawn: Int, overlap: Double
  )] {
    let pairs = found.indices.flatMap { one in
      drawn.indices.map { (found: one, drawn: $0, overlap: found[one].intersectionOverUnion(with: drawn[$0])) }
    }
    var (usedFound, usedDrawn): (Set<Int>, Set<Int>) = ([], [])
    var result: [(found: Int, drawn: Int, overlap: Double)] = []
    for pair in pairs.sorted(by: { $0.overlap > $1.overlap })
    where pair.overlap >= leastOverlap && isAlike(pair.found, pair.drawn) {
      guard !usedFound.contains(pair.found), !usedDrawn.contains(pair.drawn) else { continue }
      usedFound.insert(pair.found)
      usedDrawn.insert(pair.drawn)
      result.append(pair)
    }
    return result
  }

  /// Returns a description of how many generated objects were detected, and of false detections.
  static func agreement(matched: Int, found: Int, drawn: Int, detail: String = "") -> DemoAgreement {
    let isFull = matched == drawn && found == drawn
    var parts: [String] = []
    if isFull { parts.append(drawn == 0 ? "nothing, as drawn" : "all found") }
    if matched < drawn { parts.append("\(drawn - matched) missed") }
    if found > matched { parts.append("\(found - matched) too many") }
    return DemoAgreement(isFull: isFull, verdict: parts.joined(separator: ", "), detail: detail)
  }

  /// Returns the mean intersection over union of the categories' pixels.
  static func meanOverlap(_ found: [UInt8], _ drawn: [UInt8]) -> Double {
    var shared = [Int](repeating: 0, count: 256), either = [Int](repeating: 0, count: 256)
    for (one, other) in zip(found, drawn) {
      either[Int(one)] += 1
      if one == other { shared[Int(one)] += 1 } else { either[Int(other)] += 1 }
    }
    let shares = either.indices.filter { either[$0] > 0 }.map { Double(shared[$0]) / Double(either[$0]) }
    return shares.isEmpty ? 1 : shares.reduce(0, +) / Double(shares.count)
  }
}
