import SwiftletJSON
import SwiftletMeasurement
import SwiftletVision

/// What a classifier says of a sound or a sentence that was made for the demonstration.
struct ScoredExample {
  /// The sound's file, relative to the folder, or the sentence.
  var subject: String
  /// What it was made as.
  var expected: String
  /// All categories with their scores, the best first.
  var scores: [ResultCategory]
  /// Of one call, in milliseconds.
  var latency: Sample

  var best: String { scores.first.map { $0.name } ?? "nothing" }

  var agreement: DemoAgreement {
    let isRight = best == expected
    return DemoAgreement(isFull: isRight, verdict: isRight ? "right" : "wrong")
  }

  /// - Parameter key: what the subject is called.
  func json(_ key: String) -> JSONValue {
    .object([
      .init(key: key, value: .string(subject)), .init(key: "expected", value: .string(expected)),
      .init(key: "found", value: .string(best)), .init(key: "agrees", value: .bool(agreement.isFull)),
      .init(key: "categories", value: .array(scores.map(\.shortJSON))),
      .init(key: "median_ms", value: .double(latency.median)),
    ])
  }
}

/// Examples of one kind, and what the program's own model says of them.
struct ScoredExamples {
  /// The name of the command, which also names the section.
  var task: String
  var title: String
  var summary: String
  var model: ToolModel
  /// What an example is called, in the singular.
  var unit: String
  var examples: [ScoredExample]
  /// How the first result can be had again, within the folder.
  var command: String

  var times: DemoTimes {
    DemoTimes(task: task, title: title, model: model.fileName, unit: unit, samples: examples.map(\.latency))
  }

  var json: JSONValue {
    .object([
      "task": .string(task), "model": .string(model.fileName), "median_ms": .double(times.medianLatency),
      "examples": .array(examples.map { $0.json(unit) }),
    ])
  }

  /// A line for people.
  var text: String {
    let right = examples.count { $0.agreement.isFull }
    return "\(DemoTimes.padded(task))\(right) of \(examples.count) \(unit)s right, \(times.text) a \(unit)\n"
  }
}
