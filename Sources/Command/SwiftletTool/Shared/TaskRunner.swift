import SwiftletCommandLine
import SwiftletVision

/// Runs a task on images and prints its results in the requested form.
struct TaskRunner {
  private let batch: BatchRunner
  private let loader: ImageLoader
  private let annotation: Annotation?

  /// Creates a runner.
  ///
  /// - Throws: `UsageError` before any file is accessed.
  init(_ arguments: Arguments) throws(UsageError) {
    batch = try BatchRunner(arguments, .images, try Operands(files: arguments, .images))
    loader = ImageLoader(arguments)
    annotation = try Annotation(arguments, isList: batch.isList)
  }

  /// Whether there are, or can be, several images.
  var isList: Bool { batch.isList }

  /// Runs a task on every image, with one result per image.
  ///
  /// - Parameters:
  ///   - capacity: The number of images that the task accepts.
  ///   - masks: The directory that `perform` writes masks to. Every image must have a subdirectory of its own.
  ///   - perform: The task, which receives the image and its path. It's called concurrently for several images.
  /// - Returns: The exit status.
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

  /// Prints one result for several images together.
  func print(_ result: any PrintableResult) throws { try batch.print(result) }

  /// Returns the results of a task for a small number of images.
  ///
  /// - Parameters:
  ///   - limit: The number of images after which no more are read.
  ///   - capacity: The number of images that the task accepts.
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

  /// Runs `make`, which loads the task's model, and adds the model's name to its errors.
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
  /// Creates a list of the files on the command line, or of the files that standard input lists.
  ///
  /// - Throws: `UsageError` if there are none, or if standard input is used twice.
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
