import SwiftletBase
import SwiftletKernels
import SwiftletSchema

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A node that was prepared for one value of its input and runs on another, as if a variable changed in between.
struct PreparedNode {
  private let prepared: PreparedOperator
  private let memory = SlotAllocator()
  private let outputs: [TensorSpec]

  /// Prepares a node.
  ///
  /// - Parameters:
  ///   - kind: An operator with one input and without options.
  ///   - input: The value that determines the shapes.
  ///   - results: The types of the outputs.
  init(_ kind: BuiltinOperator, _ type: any Operator.Type, _ input: Tensor, gives results: [ElementType]) throws {
    let location = RuntimeError.Location(operatorName: OperatorKind.builtin(kind).name)
    let description = OperatorDescription(
      code: OperatorCode(kind: .builtin(kind), version: 1), inputs: [0], outputs: Array(1...results.count))
    let node = Node(
      location: location, number: 0,
      operation: try type.init(parsing: NodeReader(location: location, description: description)), inputs: [0],
      outputs: Array(1...results.count))
    var values = ValueSet()
    values.specs = [TensorSpec(name: "input", elementType: input.elementType, shape: input.shape)]
    values.specs += results.map { TensorSpec(name: "output", elementType: $0, shape: []) }
    values.constants[0] = ByteRegion(input.bytes)
    let table = ValueTable(values)
    for (index, shape) in try node.operation.inferShapes(NodeView(node: node, values: table)).enumerated() {
      table.specs[1 + index].shape = shape
    }
    outputs = Array(table.specs.dropFirst())
    let options = RuntimeOptions()
    prepared = try node.operation.prepare(
      PrepareContext(
        node: NodeView(node: node, values: table), options: options, kernels: .portable, memory: memory,
        packing: PackingBatch(PackedConstants(byteLimit: 1 << 20))))
  }

  /// Runs the node on `input`. Returns the number of changed bytes after its outputs, and the thrown error.
  func run(on input: Tensor) throws -> (damage: Int, error: RuntimeError?) {
    let slack = 4096
    var blocks: [AlignedBytes] = [], pointers: [UnsafeMutableRawPointer] = [], limits: [Int?] = []
    for source in memory.sources {
      switch source {
      case .value(0):
        blocks.append(AlignedBytes(copying: input.bytes))
        limits.append(nil)
      case .value(let id):
        let count = outputs[id - 1].byteCount ?? 0
        blocks.append(AlignedBytes(zeroed: count + slack))
        limits.append(count)
      case .scratch(let bytes), .state(_, let bytes, _):
        blocks.append(AlignedBytes(zeroed: bytes + slack))
        limits.append(bytes)
      }
      pointers.append(blocks[blocks.count - 1].start)
    }
    let scratch = AlignedBytes(zeroed: memory.workerScratchBytes)
    var failure: RuntimeError?
    try pointers.withUnsafeBufferPointer { pointers in
      guard let base = pointers.baseAddress else { return }
      let context = RunContext(pointers: base, workerScratch: scratch.start)
      do {
        for stage in prepared.stages { for tile in 0..<stage.tileCount { try stage.run(context, tile) } }
      } catch let error as RuntimeError {
        failure = error
      }
    }
    let damage = zip(blocks, limits).reduce(0) { sum, block in
      sum + (block.1.map { limit in block.0.bytes[limit...].count { $0 != 0 } } ?? 0)
    }
    return (damage, failure)
  }
}
