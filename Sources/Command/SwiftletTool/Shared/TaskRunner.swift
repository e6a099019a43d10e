import SwiftletCommandLine
import SwiftletJSON
import SwiftletVision

/// Runs a task over pictures and prints its results in the form asked for.
struct TaskRunner {
  private let source: PictureSource
  private let printer: ResultPrinter
  private let annotation: Annotation?

  /// - Throws: `UsageError` before any file is touched.
  init(_ arguments: Arguments) throws(UsageError) {
    source = try PictureSource(arguments)
    annotation = try Annotation(arguments, isList: source.isList)
    printer = try ResultPrinter(arguments)
  }

  /// Whether there are, or may be, several pictures.
  var isList: Bool { source.isList }

  /// Runs a task on every picture, each with a result of its own.
  ///
  /// - Parameter perform: the task; gets the picture and the path that it goes by.
  /// - Returns: the exit status.
  func run(_ perform: (MPImage, String) throws -> any PictureResult) throws -> Int32 {
    var printer = printer
    try forEach { image, path in
      let result = try perform(image, path)
      try annotation?.write(image, result)
      printer.print(json: result.json, text: result.text)
    }
    printer.finish(isList: source.isList)
    return 0
  }

  /// Runs a task on all pictures and prints what they come to together.
  ///
  /// - Parameters:
  ///   - perform: the task; gets the picture and the path that it goes by.
  ///   - combine: gives the JSON object and the lines for people.
  /// - Returns: the exit status.
  func runTogether<Part>(
    _ perform: (MPImage, String) throws -> Part, combine: ([Part]) throws -> (json: JSONValue, text: String)
  ) throws -> Int32 {
    var parts: [Part] = []
    try forEach { parts.append(try perform($0, $1)) }
    let result = try combine(parts)
    var printer = printer
    printer.print(json: result.json, text: result.text)
    printer.finish(isList: false)
    return 0
  }

  /// Names the picture in the errors of the task.
  private func forEach(_ body: (MPImage, String) throws -> Void) throws {
    try source.forEach { path, image in
      do {
        try body(image, path)
      } catch let error as TaskError {
        throw ToolError(file: path, reason: error.description)
      }
    }
  }

  /// Runs `make`, which loads the task's model, and names the model in its errors.
  static func load<Task>(_ base: BaseOptions, _ make: () throws -> Task) throws -> Task {
    try ModelArgument.require(base)
    do {
      return try make()
    } catch let error as TaskError {
      throw ToolError(file: base.modelName, reason: error.message)
    }
  }
}
