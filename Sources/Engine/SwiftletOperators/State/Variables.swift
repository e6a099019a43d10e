import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// The memory of a resource variable: a header that describes the last assigned value, followed by its elements.
///
/// The memory initially contains zeros, which means that nothing has been assigned.
struct ResourceVariable: Sendable {
  private let slot: TensorSlot
  private let spec: TensorSpec
  private let byteCount: Int
  private let name: String
  private let location: RuntimeError.Location

  private static let headerByteCount = StateKey.headerByteCount
  /// The number of bytes that are moved in one stage.
  private static let shortByteCount = 1 << 16

  private struct Header: BitwiseCopyable {
    var isAssigned: Int64
    var elementType: Int64
    var byteCount: Int64
    var rank: Int64
    var dimensions: SIMD8<Int32>
  }

  /// Returns the shape of the last assigned value, read from the header; `nil` if there is none, or if its rank isn't
  /// stored.
  static func shape(_ header: UnsafeRawBufferPointer) -> Shape? {
    guard header.count >= headerByteCount else { return nil }
    let header = header.loadUnaligned(as: Header.self)
    guard header.isAssigned == 1, (0...8).contains(header.rank) else { return nil }
    let dimensions = (0..<Int(header.rank)).map { Int(header.dimensions[$0]) }
    return dimensions.allSatisfy { $0 >= 0 } ? Shape(dimensions) : nil
  }

  /// Creates the variable.
  ///
  /// - Parameters:
  ///   - index: The index of the input that refers to the variable.
  ///   - spec: The value that the node reads or writes.
  init(_ context: PrepareContext, input index: Int, value spec: TensorSpec) throws {
    let key = try context.resource(ofInput: index)
    if case .numbered = key { throw context.node.invalid("input \(index) names a hash table, not a variable") }
    guard let bytes = spec.byteCount, bytes <= context.options.limits.tensorBytes else {
      throw context.node.unexpectedType(spec)
    }
    if case .resource(_, let name) = key { self.name = name } else { name = "" }
    self.spec = spec
    byteCount = bytes
    location = context.node.node.location
    slot = context.state(key, bytes: Self.headerByteCount + bytes)
  }

  /// Returns stages that store the value of `source`: the elements, and then the header.
  func assigning(_ source: TensorSlot) -> [PreparedOperator.Stage] {
    var header = Header(
      isAssigned: 1, elementType: Int64(spec.elementType.rawValue), byteCount: Int64(byteCount),
      rank: Int64(spec.shape.rank),
      dimensions: .zero)
    for (axis, size) in spec.shape.dimensions.prefix(8).enumerated() { header.dimensions[axis] = Int32(clamping: size) }
    return stages(
      { run, bytes in
        (run.pointer(slot) + (Self.headerByteCount &+ bytes.lowerBound)).copyMemory(
          from: run.pointer(source) + bytes.lowerBound, byteCount: bytes.count)
      }, behind: { [header] run in run.pointer(slot).storeBytes(of: header, as: Header.self) })
  }

  /// Returns stages that write the elements to `destination`. They throw `invalidInput` if nothing has been assigned,
  /// or if the value has another type or size.
  func reading(into destination: TensorSlot) -> [PreparedOperator.Stage] {
    stages(
      inFront: { run in try check(run) },
      { run, bytes in
        (run.pointer(destination) + bytes.lowerBound).copyMemory(
          from: run.pointer(slot) + (Self.headerByteCount &+ bytes.lowerBound), byteCount: bytes.count)
      })
  }

  /// Returns stages that move the elements' bytes, with an action before or after: a single stage if there are few
  /// bytes.
  private func stages(
    inFront: (@Sendable (RunContext) throws -> Void)? = nil,
    _ move: @escaping @Sendable (RunContext, Range<Int>) -> Void,
    behind: (@Sendable (RunContext) -> Void)? = nil
  ) -> [PreparedOperator.Stage] {
    guard byteCount > Self.shortByteCount else {
      return [
        PreparedOperator.Stage(tileCount: 1) { run, _ in
          try inFront?(run)
          move(run, 0..<byteCount)
          behind?(run)
        }
      ]
    }
    let first = inFront.map { inFront in PreparedOperator.Stage(tileCount: 1, work: 10) { run, _ in try inFront(run) } }
    let last = behind.map { behind in PreparedOperator.Stage(tileCount: 1, work: 10) { run, _ in behind(run) } }
    return [first, PreparedOperator.Stage(items: byteCount, cost: 0.1, run: move), last].compactMap { $0 }
  }

  /// Checks the last assigned value.
  ///
  /// - Throws: `invalidInput` if nothing has been assigned, or if the value has another type or size.
  private func check(_ run: RunContext) throws {
    let memory = run.pointer(slot)
    let header = memory.load(as: Header.self)
    guard header.isAssigned == 1 else {
      throw RuntimeError(
        .invalidInput, "reads the variable '\(name.excerpt)' before anything is assigned to it; assign a value first",
        location: location)
    }
    guard header.elementType == Int64(spec.elementType.rawValue), header.byteCount == Int64(byteCount) else {
      let type = ElementType(rawValue: .init(truncatingIfNeeded: header.elementType))?.name ?? "another type"
      throw RuntimeError(
        .invalidInput,
        "reads the variable '\(name.excerpt)' as \(spec), of \(byteCount) bytes, but it holds \(header.byteCount) bytes of \(type)",
        location: location)
    }
  }
}

extension TypeSet {
  /// The types of a variable handle: a resource, or the integer that some writers declare instead.
  static let variableHandle: TypeSet = [TypeSet(.resource), .int32]
}

/// VAR_HANDLE: a handle to the variable that reading and assigning operators work on.
///
/// - Source: operator 142 of the model format. Handles with the same container and name refer to the same variable in
///   every subgraph.
struct VarHandleOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.varHandle, versions: 1...1, types: .one([], to: .variableHandle))
  }

  private let key: StateKey
  var role: OperatorRole { .names(key) }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 0...0)
    key = .resource(
      container: try node.options[VarHandleOptions.container] ?? "",
      name: try node.options[VarHandleOptions.sharedName] ?? "")
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [[1]] }
  func prepare(_ context: PrepareContext) throws -> PreparedOperator { .empty }
}

/// READ_VARIABLE: the last value assigned to a variable.
///
/// - Shapes: the output's declared shape, if the variable has as many bytes. Without dimensions, the output has the
///   shape of the last assigned value, because writers omit unknown shapes.
/// - Types: every type of whole bytes.
/// - Throws: `invalidInput` in a run if nothing has been assigned, or if the value has another type or size.
/// - Source: operator 143 of the model format.
struct ReadVariableOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.readVariable, versions: 1...1, types: .one(.variableHandle, to: .plain))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 1...1) }

  /// Whether the result is independent of state. It changes between runs.
  var isPure: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let declared = try node.output(0).shape
    guard declared.rank == 0 else { return [declared] }
    // The values of a variable's handle are the variable's header.
    guard let shape = ResourceVariable.shape(try node.data(0)) else {
      throw RuntimeError(
        .invalidInput, "reads a variable before anything is assigned to it; assign a value of up to 8 axes first",
        location: node.node.location)
    }
    return [shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let variable = try ResourceVariable(context, input: 0, value: try context.node.output(0))
    let destination = try context.outputSlot(0)
    return PreparedOperator(stages: variable.reading(into: destination))
  }
}

/// ASSIGN_VARIABLE: stores a tensor in a variable, for later nodes and later runs.
///
/// - Types: every type of whole bytes.
/// - Source: operator 144 of the model format.
struct AssignVariableOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .assignVariable, versions: 1...1, types: .one(.variableHandle, .plain, to: []))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2, outputs: 0...0) }

  var isPure: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let variable = try ResourceVariable(context, input: 0, value: try context.node.input(1))
    let source = try context.inputSlot(1)
    return PreparedOperator(stages: variable.assigning(source))
  }
}
