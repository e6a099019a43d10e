import SwiftletCommandLine
import SwiftletVision

/// Runs a task over pictures and prints its results in the form asked for.
struct TaskRunner {
  private let source: PictureSource
  private let printsDocument: Bool
  private let printsLines: Bool
  private let annotation: Annotation?

  /// - Throws: `UsageError` before any file is touched.
  init(_ arguments: Arguments) throws(UsageError) {
    source = try PictureSource(arguments)
    printsDocument = arguments.flag("json")
    printsLines = arguments.flag("jsonl")
    annotation = try Annotation(arguments, isList: source.isList)
    if printsDocument, printsLines { throw UsageError("--json and --jsonl exclude each other") }
  }

  /// Runs a detector over all pictures.
  ///
  /// - Parameters:
  ///   - noun: what is looked for, in the plural.
  ///   - detect: gives the detections in one picture.
  func run(_ noun: String, _ detect: (MPImage) throws -> [Detection]) throws -> Int32 {
    var documents: [JSONValue] = []
    try source.forEach { path, image in
      let result: PictureDetections
      do {
        result = PictureDetections(path: path, image: image, detections: try detect(image))
      } catch let error as VisionTaskError {
        throw ToolError(file: path, reason: error.description)
      }
      try annotation?.write(image, detections: result.detections)
      if printsLines {
        StandardStreams.output(result.json.text + "\n")
      } else if printsDocument {
        documents.append(result.json)
      } else {
        StandardStreams.output(result.text(noun))
      }
    }
    if printsDocument {
      StandardStreams.output((source.isList ? JSONValue.array(documents) : documents[0]).text + "\n")
    }
    return 0
  }

  /// Runs `make`, which loads the task's model, and names the model in its errors.
  static func load<Task>(_ base: BaseOptions, _ make: () throws -> Task) throws -> Task {
    do {
      return try make()
    } catch let error as VisionTaskError {
      throw ToolError(file: base.modelAssetPath, reason: error.message)
    }
  }
}
