import Foundation
import SwiftletBase
import SwiftletCommandLine
import SwiftletImage
import SwiftletModelStore
import SwiftletVision

/// The options of all image tasks.
enum TaskArguments {
  static func declarations(for task: PublishedModel.Task) -> [OptionDeclaration] {
    [model(for: task, note: " (default: the bundled model)"), rotation] + normalization + shared
  }

  /// Returns the options of a task with several models. Their normalization comes from each model's own metadata.
  static func bundleDeclarations(for task: PublishedModel.Task) -> [OptionDeclaration] {
    [model(for: task, note: " (required)"), rotation] + shared
  }

  private static func model(for task: PublishedModel.Task, note: String) -> OptionDeclaration {
    .value(
      "model", ModelArgument.kind(for: task),
      "the model: a file, or the name of a downloaded published model (see 'models list')" + note)
  }

  private static let shared: [OptionDeclaration] =
    RuntimeArguments.declarations + [
      RuntimeArguments.json,
      .value("annotate", .image, "write a copy of the image with the result drawn on it, as .png or .jpg"),
      BatchArguments.list(.images),
    ] + BatchArguments.declarations(.images)

  static let rotation = OptionDeclaration.value(
    "rotate", .choice(of: Rotation.self), "the clockwise rotation in degrees that makes the image upright (default: 0)"
  )

  static let normalization: [OptionDeclaration] = [
    .value(
      "input-mean", "M,M,M",
      "the mean of red, green, and blue (0 to 255), or one for all, for models without normalization metadata"),
    .value("input-deviation", "D,D,D", "the standard deviation of red, green, and blue, or one for all"),
  ]

  /// The accepted number of operands. Without operands, standard input can list images.
  static let operandCount = 0...100_000

  static let operandNote = "IMAGE is a PNG or JPEG file, or - for standard input."

  /// Returns the base options for running the model.
  static func baseOptions(_ model: ModelSource, _ arguments: Arguments) throws(UsageError) -> BaseOptions {
    var options = batchOptions(model, arguments)
    options.inputNormalization = try inputNormalization(arguments)
    return options
  }

  /// Returns the base options of a model whose task specifies the number of concurrent calls itself.
  static func batchOptions(_ model: ModelSource, _ arguments: Arguments) -> BaseOptions {
    let isList = arguments.flag("stdin-list") || arguments.operands.count > 1
    return RuntimeArguments.baseOptions(model, arguments, jobs: BatchArguments.jobs(arguments, isList: isList))
  }

  /// Returns the normalization, or `nil` if none is given.
  ///
  /// - Throws: `UsageError` for invalid numbers, and if only one of the two options is given.
  static func inputNormalization(_ arguments: Arguments) throws(UsageError) -> InputNormalization? {
    let mean = try channels("input-mean", arguments) { (0...255).contains($0) }
    let deviation = try channels("input-deviation", arguments) { $0 > 0 && $0.isFinite }
    guard let mean, let deviation else {
      guard mean == nil, deviation == nil else {
        throw UsageError("--input-mean and --input-deviation belong together")
      }
      return nil
    }
    let count = max(mean.count, deviation.count)
    func filled(_ values: [Float]) -> [Float] { (0..<count).map { values[$0 % values.count] } }
    return InputNormalization(mean: filled(mean), standardDeviation: filled(deviation))
  }

  private static func channels(
    _ name: String, _ arguments: Arguments, _ isValid: (Float) -> Bool
  ) throws(UsageError) -> [Float]? {
    guard let text = arguments.string(name) else { return nil }
    let values = text.split(separator: ",", omittingEmptySubsequences: false).map { Float($0) ?? .nan }
    guard values.count == 1 || values.count == 3, values.allSatisfy(isValid) else {
      throw UsageError(
        "--\(name) takes one number or three, for red, green and blue, such as 127.5, got '\(text.excerpt)'")
    }
    return values
  }

  /// The option of the tasks that accept a region of interest.
  static let regionOfInterest = OptionDeclaration.value(
    "roi", "L,T,R,B",
    "the region of interest: left, top, right, and bottom edge as fractions of the width and height (default: 0,0,1,1)")

  /// Returns the region of interest in stored image coordinates, or `nil` for the entire image.
  ///
  /// - Throws: `UsageError` if the value isn't a rectangle inside the image.
  static func regionOfInterest(_ arguments: Arguments) throws(UsageError) -> NormalizedRect? {
    guard let text = arguments.string("roi") else { return nil }
    let edges = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    guard edges.count == 4, edges.allSatisfy((0...1).contains), edges[0] < edges[2], edges[1] < edges[3] else {
      throw UsageError("--roi takes left,top,right,bottom from 0 to 1, such as 0.25,0,0.75,0.5, got '\(text.excerpt)'")
    }
    return NormalizedRect(
      left: Float(edges[0]), top: Float(edges[1]), right: Float(edges[2]), bottom: Float(edges[3]))
  }

  private enum Rotation: String, CaseIterable {
    case none = "0", quarter = "90", half = "180", threeQuarters = "270"
  }

  static func orientation(_ arguments: Arguments) -> ImageOrientation {
    switch arguments.choice("rotate", as: Rotation.self) ?? .none {
    case .none: .up
    case .quarter: .right
    case .half: .down
    case .threeQuarters: .left
    }
  }
}

/// The options of classification: which categories, how many, and in which language.
struct CategoryArguments {
  let locale: String
  let maxResults: Int?
  let scoreThreshold: Float
  let allowed: [String]
  let denied: [String]

  static let locale = OptionDeclaration.value("locale", "L", "the language of the display names (default: en)")

  /// Returns the declarations.
  ///
  /// - Parameters:
  ///   - results: The name of the results, in the plural.
  ///   - scope: The unit that the maximum number of results applies to.
  static func declarations(_ results: String, per scope: String) -> [OptionDeclaration] {
    [
      .value("max-results", .integer(1...Int.max), "the maximum number of \(results) \(scope) (default: no limit)"),
      .value(
        "score-threshold", .number(-Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude),
        "the minimum score of \(results) (default: 0)"),
      .value("allow", "A,B", "report only these categories"),
      .value("deny", "A,B", "do not report these categories"),
      locale,
    ]
  }

  /// Creates the options from the command line.
  ///
  /// - Throws: `UsageError` if both lists are given.
  init(_ arguments: Arguments) throws(UsageError) {
    guard arguments.string("allow") == nil || arguments.string("deny") == nil else {
      throw UsageError("--allow and --deny are mutually exclusive")
    }
    locale = Self.locale(arguments)
    maxResults = arguments.int("max-results")
    scoreThreshold = arguments.float("score-threshold") ?? 0
    allowed = arguments.list("allow")
    denied = arguments.list("deny")
  }

  /// Warns about categories that the model doesn't have; they are ignored, as in MediaPipe.
  func warn(ofAllBut known: [String]) {
    let names = Set(known)
    for (option, words) in [("allow", allowed), ("deny", denied)] {
      for word in words where !names.contains(word) {
        let hint = Suggestion.nearest(to: word, in: known).map { "; did you mean '\($0)'?" } ?? ""
        StandardStreams.warn("--\(option): the model has no category '\(word.excerpt)', which is ignored\(hint)")
      }
    }
  }

  static func locale(_ arguments: Arguments) -> String { arguments.string("locale") ?? "en" }
}
