import SwiftletSchema

/// The custom operators that a program has added to a model, by name.
package struct AddedOperators: Sendable {
  struct Entry: Sendable {
    var versions: ClosedRange<Int>
    var make: @Sendable (CustomOperatorOptions) throws -> any CustomOperator
  }

  private var entries: [String: Entry] = [:]

  package init() {}

  mutating func add(_ name: String, _ entry: Entry) { entries[name] = entry }

  func entry(for kind: OperatorKind) -> Entry? {
    guard !entries.isEmpty, case .custom(let name) = kind else { return nil }
    return entries[name]
  }
}

/// A node of an added operator, as seen by the engine.
struct AddedOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.custom(""), versions: 1...Int.max, types: .one(.any, to: .any))
  }

  private let operation: any CustomOperator

  /// Creates the operator.
  ///
  /// - Throws: The error of the program's code, as an error at this node.
  init(_ entry: AddedOperators.Entry, _ node: NodeReader) throws {
    operation = try Self.naming(node.location, .invalidModel) {
      try entry.make(CustomOperatorOptions(node.description))
    }
  }

  init(parsing node: NodeReader) throws { throw node.invalid("is not known without what a program adds") }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let shapes = try Self.naming(node.node.location, .invalidModel) {
      try operation.outputShapes(CustomOperatorNode(view: node))
    }
    // For outputs of types without a fixed size, this is the only limit.
    for shape in shapes where !shape.dimensions.allSatisfy({ (0...Int(Int32.max)).contains($0) }) {
      throw node.invalid("returns an output of shape \(shape); sizes must not be negative and must fit in 32 bits")
    }
    return shapes
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    for spec in try (0..<node.inputCount).compactMap({ node.optionalInput($0) })
      + (0..<node.outputCount).map({ try node.output($0) })
    {
      guard spec.elementType.byteWidth != nil else {
        throw node.invalid("\(spec) has elements of variable size, which custom operators do not support")
      }
    }
    let tensors = CustomOperatorTensors(
      inputs: (0..<node.inputCount).map { index in
        guard let spec = node.optionalInput(index), let slot = context.optionalInputSlot(index) else { return nil }
        return CustomOperatorTensors.Entry(spec: spec, slot: slot)
      },
      outputs: try (0..<node.outputCount).map {
        CustomOperatorTensors.Entry(spec: try node.output($0), slot: try context.outputSlot($0))
      },
      location: node.node.location)
    return PreparedOperator { [operation] run, _ in
      try Self.naming(tensors.location, .invalidInput) {
        try operation.run(CustomOperatorCall(context: run, tensors: tensors))
      }
    }
  }

  /// Runs the program's code, and converts its errors to engine errors with a location.
  private static func naming<Result>(
    _ location: RuntimeError.Location, _ code: RuntimeError.Code, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch var error as RuntimeError {
      if let signal = error.underlying as? DataDependence { throw signal }
      error.location = error.location ?? location
      throw error
    } catch {
      throw RuntimeError(code, "\(error)", location: location, underlying: error)
    }
  }
}
