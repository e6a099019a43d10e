import SwiftletBase
import SwiftletJSON
import SwiftletMeasurement

/// What a model of others made of the pictures.
struct DemoModelSection {
  /// One picture and what was found in it.
  struct Row {
    var picture: String
    /// With the result drawn in, relative to the folder.
    var annotated: String
    /// A line for each thing; none for nothing.
    var found: [String]
    /// Of one call, in milliseconds.
    var latency: Sample
  }

  var model: DemoModelFile
  var rows: [Row]

  var task: String { model.kind.rawValue }

  var title: String {
    switch model.kind {
    case .landmarkHands: "Hands"
    case .recognizeGestures: "Gestures"
    case .landmarkFaces: "Face meshes"
    case .landmarkPoses: "Poses"
    case .landmarkHolistic: "Body, face and hands"
    case .interactive: "What is pointed at"
    }
  }

  var summary: String {
    switch model.kind {
    case .landmarkHands: "21 points of each hand, and which hand it is."
    case .recognizeGestures: "The points of each hand, and what it shows."
    case .landmarkFaces: "478 points of each face, joined to a mesh."
    case .landmarkPoses: "33 points of each body, and which pixels are the person's."
    case .landmarkHolistic: "The body, the face and both hands of one person."
    case .interactive: "Which pixels belong to what is in the middle of the picture, where the dot is."
    }
  }

  /// How the first result can be had again.
  var command: String {
    let point = model.kind == .interactive ? " --point 0.5,0.5" : ""
    return "swiftlet \(task) --model '\(model.name)'\(point) '\(rows.first?.picture ?? "")' --annotate again.png"
  }

  var foundCount: Int { rows.count { !$0.found.isEmpty } }

  var json: JSONValue {
    .object([
      "task": .string(task), "model": .string(model.name), "median_ms": .double(times.medianLatency),
      "pictures": .array(
        rows.map {
          .object([
            "image": .string($0.picture), "annotated": .string($0.annotated), "found": .strings($0.found),
            "median_ms": .double($0.latency.median),
          ])
        }),
    ])
  }

  /// A line for people.
  var text: String {
    "\(DemoTimes.padded(task))something in \(foundCount) of \(rows.count) pictures, \(times.text) a picture, \(model.name.shown)\n"
  }

  var times: DemoTimes {
    DemoTimes(task: task, title: title, model: model.name, unit: "picture", samples: rows.map(\.latency))
  }
}
