import SwiftletBase
import SwiftletSchema

/// An error of the engine: what went wrong, where, what was expected, what was found, and what to do about it.
public struct RuntimeError: Error, Sendable, CustomStringConvertible {
  /// A kind of failure to branch on. More may be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name of the kind.
    public let rawValue: String
    /// Creates a kind of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file could not be read.
    public static let unreadableFile = Code(rawValue: "unreadableFile")
    /// The bytes are not a well-formed model, or contradict themselves.
    public static let invalidModel = Code(rawValue: "invalidModel")
    /// The model is well-formed but uses operators, versions or types that the engine lacks.
    public static let unsupportedOperators = Code(rawValue: "unsupportedOperators")
    /// An argument of the call does not fit the model.
    public static let invalidArgument = Code(rawValue: "invalidArgument")
    /// A tensor was asked for as a type that it is not.
    public static let typeMismatch = Code(rawValue: "typeMismatch")
    /// The values given make an operator's result undefined, for example an index outside its tensor.
    public static let invalidInput = Code(rawValue: "invalidInput")
    /// A size, or the work of a load or a run, is above `RuntimeOptions.Limits`.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// A load or a run did not end before its deadline.
    public static let deadlineExceeded = Code(rawValue: "deadlineExceeded")
    /// The task that waits for a load or a run was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// A custom operator asked for values that only a run computes.
    public static let unknownValues = Code(rawValue: "unknownValues")
  }

  /// The place in the model.
  public struct Location: Sendable, Hashable {
    /// The subgraph, by its number in the model.
    public var subgraph: Int?
    /// The operator's position in its subgraph.
    public var operatorIndex: Int?
    /// The operator's name: `CONV_2D`.
    public var operatorName: String?
    /// The name of the tensor.
    public var tensor: String?

    /// Creates a place in a model; what is not known stays `nil`.
    public init(subgraph: Int? = nil, operatorIndex: Int? = nil, operatorName: String? = nil, tensor: String? = nil) {
      self.subgraph = subgraph
      self.operatorIndex = operatorIndex
      self.operatorName = operatorName
      self.tensor = tensor
    }
  }

  /// The kind of error, to branch on.
  public var code: Code
  /// A message that says what is wrong and what to do.
  public var message: String
  /// The location in the model, if the error is about one.
  public var location: Location?
  /// The error that caused this one.
  public var underlying: (any Error)?

  /// Creates an error of a kind, with a message that says what was expected and what was found.
  public init(_ code: Code, _ message: String, location: Location? = nil, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.location = location
    self.underlying = underlying
  }

  /// Creates the engine's error for an error of any type.
  package init(wrapping error: any Error) {
    switch error {
    case let error as RuntimeError: self = error
    case let error as SchemaError: self.init(error.runtimeCode, "\(error)", underlying: error)
    default: self.init(.invalidModel, "\(error)", underlying: error)
    }
  }

  /// Returns the result of `body`; every error becomes one of the engine.
  static func wrapping<Result>(_ body: () throws -> Result) throws(RuntimeError) -> Result {
    do {
      return try body()
    } catch {
      throw RuntimeError(wrapping: error)
    }
  }

  /// The location and the message, in one line: names from the file have no control characters here.
  public var description: String { text.shown }

  private var text: String {
    guard let location else { return message }
    var place: [String] = []
    if let name = location.operatorName?.excerpt {
      place.append(location.operatorIndex.map { "operator \($0) \(name)" } ?? "operator \(name)")
    }
    if let subgraph = location.subgraph, subgraph != 0 { place.append("subgraph \(subgraph)") }
    if let tensor = location.tensor { place.append("tensor '\(tensor.excerpt)'") }
    return place.isEmpty ? message : place.joined(separator: ", ") + ": " + message
  }
}

extension SchemaError {
  /// The engine's code for an error of the file.
  var runtimeCode: RuntimeError.Code {
    switch code {
    case .deadlineExceeded: .deadlineExceeded
    case .cancelled: .cancelled
    default: .invalidModel
    }
  }
}
