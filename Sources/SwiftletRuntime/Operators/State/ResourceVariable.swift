import SwiftletSchema

/// The memory of a resource variable: a header that says what was assigned last, then the elements.
///
/// It starts as zeros, which means that nothing was assigned yet.
struct ResourceVariable: Sendable {
  private let slot: TensorSlot
  private let spec: TensorSpec
  private let byteCount: Int
  private let name: String
  private let location: RuntimeError.Location

  static let headerByteCount = 64

  private struct Header: BitwiseCopyable {
    var isAssigned: Int64
    var elementType: Int64
    var byteCount: Int64
    var rank: Int64
    var dimensions: SIMD8<Int32>
  }

  /// The shape of what was assigned last, read from the header; `nil` when nothing was, or of a rank that is not kept.
  static func shape(_ header: UnsafeRawBufferPointer) -> Shape? {
    guard header.count >= headerByteCount else { return nil }
    let header = header.loadUnaligned(as: Header.self)
    guard header.isAssigned == 1, (0...8).contains(header.rank) else { return nil }
    return Shape((0..<Int(header.rank)).map { Int(header.dimensions[$0]) })
  }

  /// - Parameters:
  ///   - index: the input that names the variable.
  ///   - spec: what the node reads or writes.
  init(_ context: PrepareContext, input index: Int, value spec: TensorSpec) throws {
    let key = try context.resource(ofInput: index)
    if case .table = key { throw context.node.invalid("input \(index) names a hash table, not a variable") }
    guard let bytes = spec.byteCount, bytes <= context.options.limits.tensorBytes else {
      throw context.node.unexpectedType(spec)
    }
    if case .resource(_, let name) = key { self.name = name } else { name = "" }
    self.spec = spec
    byteCount = bytes
    location = context.node.node.location
    slot = context.state(key, bytes: Self.headerByteCount + bytes)
  }

  func assign(_ source: UnsafeRawPointer, _ run: RunContext) {
    let memory = run.pointer(slot)
    var header = Header(
      isAssigned: 1, elementType: Int64(spec.elementType.rawValue), byteCount: Int64(byteCount), rank: Int64(spec.shape.rank),
      dimensions: .zero)
    for (axis, size) in spec.shape.dimensions.prefix(8).enumerated() { header.dimensions[axis] = Int32(clamping: size) }
    memory.storeBytes(of: header, as: Header.self)
    memory.advanced(by: Self.headerByteCount).copyMemory(from: source, byteCount: byteCount)
  }

  /// - Throws: `invalidInput` when nothing was assigned yet, or something of another type or size.
  func read(into destination: UnsafeMutableRawPointer, _ run: RunContext) throws {
    let memory = run.pointer(slot)
    let header = memory.load(as: Header.self)
    guard header.isAssigned == 1 else {
      throw RuntimeError(
        .invalidInput, "reads the variable '\(name)' before anything is assigned to it; assign a value first",
        location: location)
    }
    guard header.elementType == Int64(spec.elementType.rawValue), header.byteCount == Int64(byteCount) else {
      let type = ElementType(rawValue: .init(truncatingIfNeeded: header.elementType))?.name ?? "another type"
      throw RuntimeError(
        .invalidInput,
        "reads the variable '\(name)' as \(spec), of \(byteCount) bytes, but it holds \(header.byteCount) bytes of \(type)",
        location: location)
    }
    destination.copyMemory(from: memory.advanced(by: Self.headerByteCount), byteCount: byteCount)
  }
}

extension TypeSet {
  /// What names a variable: a resource, or the number that some writers declare in its place.
  static let variableHandle: TypeSet = [TypeSet(.resource), .int32]
}
