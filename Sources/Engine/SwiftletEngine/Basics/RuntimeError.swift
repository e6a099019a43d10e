import SwiftletBase
import SwiftletSchema

/// An error of the engine, with the problem, its location, the expected and actual values, and the fix.
public struct RuntimeError: Error, Sendable, CustomStringConvertible {
  /// The kind of error. More kinds may be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name of the kind.
    public let rawValue: String
    /// Creates a kind with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file couldn't be read.
    public static let unreadableFile = Code(rawValue: "unreadableFile")
    /// The bytes aren't a well-formed model, or the model is inconsistent.
    public static let invalidModel = Code(rawValue: "invalidModel")
    /// The model is well-formed but uses operators, versions, or types that the engine doesn't support.
    public static let unsupportedOperators = Code(rawValue: "unsupportedOperators")
    /// An argument of the call doesn't match the model.
    public static let invalidArgument = Code(rawValue: "invalidArgument")
    /// The requested type isn't the type of the tensor.
    public static let typeMismatch = Code(rawValue: "typeMismatch")
    /// An operator's result is undefined for the given values, for example because an index is outside its tensor.
    public static let invalidInput = Code(rawValue: "invalidInput")
    /// A size, or the work of a load or a run, exceeds `RuntimeOptions.Limits`.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// A load or a run didn't end before its deadline.
    public static let deadlineExceeded = Code(rawValue: "deadlineExceeded")
    /// The task that awaits a load or a run was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// A custom operator requested values that are known only at run time.
    public static let unknownValues = Code(rawValue: "unknownValues")
  }

  /// A location in the model.
  public struct Location: Sendable, Hashable {
    /// The index of the subgraph in the model.
    public var subgraph: Int?
    /// The index of the operator in its subgraph.
    public var operatorIndex: Int?
    /// The name of the operator, such as `CONV_2D`.
    public var operatorName: String?
    /// The name of the tensor.
    public var tensor: String?

    /// Creates a location in a model. Unknown parts stay `nil`.
    public init(subgraph: Int? = nil, operatorIndex: Int? = nil, operatorName: String? = nil, tensor: String? = nil) {
      self.subgraph = subgraph
      self.operatorIndex = operatorIndex
      self.operatorName = operatorName
      self.tensor = tensor
    }
  }

  /// The kind of error, for code that handles it.
  public var code: Code
  /// A message that describes the problem and the fix.
  public var message: String
  /// The location in the model, if the error has one.
  public var location: Location?
  /// The error that caused this one.
  public var underlying: (any Error)?

  /// Creates an error of a kind, with a message that describes the expected and actual values.
  public init(_ code: Code, _ message: String, location: Location? = nil, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.location = location
    self.underlying = underlying
  }

  /// Creates a runtime error from an error of any type.
  package init(wrapping error: any Error) {
    switch error {
    case let error as RuntimeError: self = error
    case let error as SchemaError: self.init(error.runtimeCode, "\(error)", underlying: error)
    default: self.init(.invalidModel, "\(error)", underlying: error)
    }
  }

  /// Returns the result of `body`, and converts every error to a runtime error.
  static func wrapping<Result>(_ body: () throws -> Result) throws(RuntimeError) -> Result {
    do {
      return try body()
    } catch {
      throw RuntimeError(wrapping: error)
    }
  }

  /// The location and the message in one line. Control characters in names from the file are replaced.
  public var description: String { text.sanitized }

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
  /// The runtime error code for an error of the file.
  var runtimeCode: RuntimeError.Code {
    switch code {
    case .deadlineExceeded: .deadlineExceeded
    case .cancelled: .cancelled
    default: .invalidModel
    }
  }
}
