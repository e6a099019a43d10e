import SwiftletCommandLine
import SwiftletVision

/// Runs a task over images and prints its results in the form asked for.
struct TaskRunner {
  private let batch: BatchRunner
  private let loader: ImageLoader
  private let annotation: Annotation?

  /// - Throws: `UsageError` before any file is touched.
  init(_ arguments: Arguments) throws(UsageError) {
    batch = try BatchRunner(arguments, .pictures, try Operands(files: arguments, .pictures))
    loader = ImageLoader(arguments)
    annotation = try Annotation(arguments, isList: batch.isList)
  }

  /// Whether there are, or may be, several images.
  var isList: Bool { batch.isList }

  /// Runs a task on every image, each with a result of its own.
  ///
  /// - Parameters:
  ///   - capacity: How many images the task takes.
  ///   - masks: where `perform` writes masks; there has to be room for those of every image.
  ///   - perform: the task; gets the image and the path that it goes by. Called for several at once.
  /// - Returns: the exit status.
  func run(
    _ capacity: BatchCapacity, masks: MaskFolder? = nil,
    _ perform: @escaping @Sendable (InputImage, String) throws -> any ImageResult
  ) throws -> Int32 {
    try batch.run(capacity, admit: { try masks?.reserve(OutputFile.stem(of: $0), name: $0) }) { [self] path, warn in
      let image = try load(path, warn)
      let result = try perform(image, path)
      try annotation?.write(image, result)
      return result
    }
  }

  /// Prints what several come to together.
  func print(_ result: any PrintableResult) throws { try batch.print(result) }

  /// What a task gives for each of a few images.
  ///
  /// - Parameters:
  ///   - limit: where there are more images than this, the rest is not read.
  ///   - capacity: How many images the task takes.
  func values<Value: Sendable>(
    atMost limit: Int, _ capacity: BatchCapacity, _ perform: @escaping @Sendable (InputImage, String) throws -> Value
  ) throws -> [Value] {
    try batch.values(atMost: limit, capacity) { [self] path, warn in try perform(try load(path, warn), path) }
  }

  private func load(_ path: String, _ warn: (String) -> Void) throws -> InputImage {
    guard path != "-" || !batch.readsLines else {
      throw ToolError(file: path, reason: "standard input holds the list of images, not an image")
    }
    return try loader.load(path, warn)
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

extension Operands {
  /// Creates a list of files: those on the command line, or those that standard input lists.
  ///
  /// - Throws: `UsageError` when there are none, or standard input is wanted twice.
  init(files arguments: Arguments, _ subject: BatchSubject) throws(UsageError) {
    let paths = arguments.operands
    let readsList = arguments.flag("stdin-list")
    if readsList, !paths.isEmpty {
      throw UsageError("--stdin-list and \(subject.plural) on the command line are mutually exclusive")
    }
    if !readsList, paths.isEmpty { throw UsageError("at least one \(subject.singular) is needed") }
    if paths.count(where: { $0 == "-" }) > 1 {
      throw UsageError("standard input holds one \(subject.singular), '-' is given twice")
    }
    self.init(parts: readsList ? [.lines] : paths.map(Part.operand))
  }
}
