import SwiftletCommandLine
import SwiftletVision

/// Runs a task over pictures and prints its results in the form asked for.
struct TaskRunner {
  private let source: PictureSource
  private let printsDocument: Bool
  private let printsLines: Bool

  /// - Throws: `UsageError` before any file is touched.
  init(_ arguments: Arguments) throws(UsageError) {
    source = try PictureSource(arguments)
    printsDocument = arguments.flag("json")
    printsLines = arguments.flag("jsonl")
    if printsDocument, printsLines { throw UsageError("--json and --jsonl exclude each other") }
  }

  /// - Parameter detect: gives the result of one picture as JSON and as text for people.
  func run(_ detect: (String, MPImage) throws -> (json: JSONValue, text: String)) throws -> Int32 {
    var documents: [JSONValue] = []
    try source.forEach { path, image in
      let result: (json: JSONValue, text: String)
      do {
        result = try detect(path, image)
      } catch let error as VisionTaskError {
        throw ToolError(file: path, reason: error.description)
      }
      if printsLines {
        StandardStreams.output(result.json.text + "\n")
      } else if printsDocument {
        documents.append(result.json)
      } else {
        StandardStreams.output(result.text)
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
