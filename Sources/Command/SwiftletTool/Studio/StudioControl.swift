import SwiftletCommandLine
import SwiftletJSON

/// An option of a task that the studio shows as a control: a command's option, with the range of its slider.
struct StudioControl: Sendable {
  enum Kind: Sendable, Equatable {
    case number(ClosedRange<Double>, step: Double)
    case integer(ClosedRange<Int>)
    case flag
    case choice([String])
    case text(placeholder: String)
  }

  /// The place of the value in the Swift code that the studio displays.
  enum Place: Sendable, Equatable {
    /// An argument of the options' initializer.
    case argument(String)
    /// A member of the `outputs` argument.
    case output(String)
    /// An argument of an initializer that is itself an argument.
    case nested(String, type: String, String)
    /// An argument of the base options, which the code always contains.
    case base(String)
    /// The input normalization, an argument of the base options.
    case normalization
  }

  /// The name of the command's option.
  var name: String
  var label: String
  var kind: Kind
  /// The value if none is given, as text; `nil` if there is no limit.
  var standard: String?
  var place: Place

  static func confidence(_ name: String, _ label: String, _ argument: String, standard: String = "0.5") -> StudioControl
  {
    StudioControl(
      name: name, label: label, kind: .number(0...1, step: 0.01), standard: standard, place: .argument(argument))
  }

  static func count(_ name: String, _ label: String, _ argument: String) -> StudioControl {
    StudioControl(name: name, label: label, kind: .integer(1...10), standard: "1", place: .argument(argument))
  }

  static func flag(_ name: String, _ label: String, _ place: Place) -> StudioControl {
    StudioControl(name: name, label: label, kind: .flag, standard: nil, place: place)
  }

  /// The controls of classification.
  static let categories: [StudioControl] = [
    StudioControl(
      name: "max-results", label: "Maximum number of results", kind: .integer(1...20), standard: nil,
      place: .argument("maxResults")),
    StudioControl(
      name: "score-threshold", label: "Minimum score", kind: .number(0...1, step: 0.01), standard: "0",
      place: .argument("scoreThreshold")),
    StudioControl(
      name: "allow", label: "Only these categories", kind: .text(placeholder: "cat,dog"), standard: nil,
      place: .argument("categoryAllowlist")),
    StudioControl(
      name: "deny", label: "Not these categories", kind: .text(placeholder: "cat,dog"), standard: nil,
      place: .argument("categoryDenylist")),
  ]

  /// The control of image tasks for models without metadata. Its values stand for two options.
  static let normalization = StudioControl(
    name: "normalization", label: "Input normalization", kind: .choice(["metadata"] + normalizations.map(\.name)),
    standard: "metadata", place: .normalization)

  /// The usual normalizations of models: the ranges of the normalized values, and ImageNet's statistics.
  static let normalizations: [(name: String, mean: String, deviation: String)] = [
    ("0 to 1", "0", "255"), ("-1 to 1", "127.5", "127.5"), ("0 to 255", "0", "1"),
    ("ImageNet", "123.675,116.28,103.53", "58.395,57.12,57.375"),
  ]

  static let embedding: [StudioControl] = [
    .flag("l2-normalize", "Unit length", .argument("normalizesEmbedding")),
    .flag("quantize", "Quantize to int8", .argument("quantizesEmbedding")),
  ]

  /// The control of all tasks.
  static func threads(_ cores: Int) -> StudioControl {
    StudioControl(
      name: "threads", label: "Threads", kind: .integer(1...max(1, cores)), standard: "\(max(1, cores))",
      place: .base("threads"))
  }

  /// Returns the control's JSON form for the page.
  ///
  /// - Parameter help: The help of the command's option.
  func json(help: String) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(key: "name", value: .string(name)), .init(key: "label", value: .string(label)),
      .init(key: "help", value: .string(help)), .init(key: "default", value: .optional(standard)),
    ]
    func add(_ key: String, _ value: JSONValue) { members.append(.init(key: key, value: value)) }
    switch kind {
    case .number(let range, let step):
      add("kind", .string("number"))
      add("min", .double(range.lowerBound))
      add("max", .double(range.upperBound))
      add("step", .double(step))
    case .integer(let range):
      add("kind", .string("integer"))
      add("min", .int(range.lowerBound))
      add("max", .int(range.upperBound))
      add("step", .int(1))
    case .flag: add("kind", .string("flag"))
    case .choice(let choices):
      add("kind", .string("choice"))
      add("choices", .strings(choices))
    case .text(let placeholder):
      add("kind", .string("text"))
      add("placeholder", .string(placeholder))
    }
    return .object(members)
  }
}

/// The values of a task's controls, checked by the command's declaration.
struct StudioValues: Sendable {
  /// The given values by option name, in the order of the controls.
  private(set) var given: [(name: String, value: String)] = []

  /// A text that differs if the values do.
  var key: String { given.map { "\($0.name)=\($0.value)" }.joined(separator: "\u{0}") }

  /// Reads the values of a request's query.
  ///
  /// - Throws: `UsageError` for a value that the task doesn't accept.
  init(_ query: [String: String], for task: StudioTask) throws(UsageError) {
    for control in task.controls {
      guard let value = query[control.name], !value.isEmpty, value != control.standard else { continue }
      if control.kind == .flag, value != "true" { continue }
      guard value.utf8.count <= 1000 else { throw UsageError("--\(control.name) has more than 1000 characters") }
      if case .choice(let choices) = control.kind, !choices.contains(value) {
        throw UsageError("--\(control.name) takes one of \(choices.joined(separator: ", ")), got '\(value.excerpt)'")
      }
      given.append((control.name, value))
    }
    _ = try arguments(for: task)
  }

  subscript(name: String) -> String? { given.first { $0.name == name }?.value }

  /// The chosen normalization.
  var normalization: (name: String, mean: String, deviation: String)? {
    StudioControl.normalizations.first { $0.name == self[StudioControl.normalization.name] }
  }

  /// The values as options of the command.
  private var options: [(name: String, value: String)] {
    let normalization = normalization.map { [("input-mean", $0.mean), ("input-deviation", $0.deviation)] } ?? []
    return given.filter { $0.name != StudioControl.normalization.name } + normalization
  }

  /// Returns the values as the arguments of the task's command.
  ///
  /// - Throws: `UsageError` for a value that the command doesn't accept.
  func arguments(for task: StudioTask) throws(UsageError) -> Arguments {
    // Only options of controls are given, so no path can be. The masks of poses have a directory on the command line.
    let words = options.map { $0.name == "masks" ? "--masks=masks" : option($0, task) }
    return try Arguments(words + Array(repeating: "input", count: task.operandCount), for: task.declaration)
  }

  /// Returns the options as users type them.
  func commandWords(for task: StudioTask) -> [String] {
    options.map { $0.name == "masks" ? "--masks masks" : shellOption($0, task) }
  }

  private func isFlag(_ name: String, _ task: StudioTask) -> Bool {
    task.controls.contains { $0.name == name && $0.kind == .flag }
  }

  private func option(_ item: (name: String, value: String), _ task: StudioTask) -> String {
    isFlag(item.name, task) ? "--" + item.name : "--\(item.name)=\(item.value)"
  }

  private func shellOption(_ item: (name: String, value: String), _ task: StudioTask) -> String {
    isFlag(item.name, task) ? "--" + item.name : "--\(item.name) \(ShellWord.quoted(item.value))"
  }
}

/// Words of a shell.
enum ShellWord {
  /// Returns text as one word, in quotation marks only if it needs them.
  static func quoted(_ text: String) -> String {
    let plain = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || "-_./,".utf8.contains($0)
    }
    return plain && !text.isEmpty ? text : Shell.quoted(text)
  }
}
