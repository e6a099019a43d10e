import Foundation
import SwiftletJSON
import SwiftletMeasurement
import SwiftletModels

/// The results of one task on its images.
struct DemoSection {
  /// One image with its ground truth, the detections, and whether they agree.
  struct Row {
    /// The generated image, relative to the directory.
    var image: String
    /// The annotated image.
    var annotated: String
    var expected: String
    var found: String
    var agreement: DemoAgreement
    /// The latency of one call, in milliseconds.
    var latency: Sample
  }

  /// The pairwise similarities of images.
  struct Similarities {
    var names: [String]
    var values: [[Double]]
  }

  /// The name of the command, which also names the section.
  var task: String
  var title: String
  var summary: String
  var model: EmbeddedModel
  var rows: [Row]
  var similarities: Similarities?

  var times: DemoTimes {
    DemoTimes(task: task, title: title, model: model.fileName, unit: "image", samples: rows.map(\.latency))
  }

  var agreeingCount: Int { rows.count { $0.agreement.isFull } }

  /// The command that reproduces the first result, run in the directory.
  var command: String {
    let image = rows.first?.image ?? ""
    return "swiftlet \(task) \(image) --annotate again.png"
  }

  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init(key: "task", value: .string(task)), .init(key: "model", value: .string(model.fileName)),
      .init(key: "median_ms", value: .double(times.medianLatency)),
      .init(
        key: "pictures",
        value: .array(
          rows.map {
            .object([
              "image": .string($0.image), "annotated": .string($0.annotated), "expected": .string($0.expected),
              "found": .string($0.found),
              "agrees": .bool($0.agreement.isFull), "agreement": .string($0.agreement.text),
              "median_ms": .double($0.latency.median),
            ])
          })),
    ]
    if let similarities {
      members.append(
        .init(key: "cosine_similarities", value: .array(similarities.values.map { .array($0.map(JSONValue.double)) })))
    }
    return .object(members)
  }

  /// A line of text output.
  var text: String {
    "\(DemoTimes.padded(task))\(agreeingCount) of \(rows.count) images as drawn, \(times.text) an image\n"
  }
}

/// The agreement of detections with the ground truth.
struct DemoAgreement {
  var isFull: Bool
  /// A short verdict.
  var verdict: String
  /// The accuracy in words; can be empty.
  var detail = ""

  var text: String { detail.isEmpty ? verdict : verdict + ", " + detail }
}
