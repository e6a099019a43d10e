/// A convolution of 8-bit tensors that limits its codes itself.
package protocol ClampsCodes: Operator {
  /// This operator with its result limited to `codes` last.
  func clamping(_ codes: ClosedRange<Int32>) -> Self
}

extension ClampsCodes {
  package var asClampingCodes: (any ClampsCodes)? { self }
}

/// An operator that may only limit the codes of an 8-bit input.
package protocol CodeClampOperator: Operator {
  /// Which input it limits, and to what, when it does nothing else; the result has the input's scale and zero point.
  func codeClamp(_ node: NodeView) throws -> (input: Int, codes: ClosedRange<Int32>)?
}

extension CodeClampOperator {
  package var asCodeClamp: (any CodeClampOperator)? { self }
}

/// Moves a clamp of codes that follows a convolution into it, where both tensors mean the same by their codes.
enum CodeClampFusion {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) throws {
    var uses = NodeUses(nodes, valueCount: table.specs.count)
    var dropped = BitSet(count: nodes.count)
    for index in nodes.indices {
      guard let operation = nodes[index].operation.asCodeClamp, nodes[index].outputs.count == 1,
        let clamp = try operation.codeClamp(NodeView(node: nodes[index], values: table)),
        let source = nodes[index].inputs[clamp.input], uses.readers[source] == 1, !kept.contains(source),
        table.specs[source].quantization == table.specs[nodes[index].outputs[0]].quantization,
        let producer = uses.producers[source], let convolution = nodes[producer].operation.asClampingCodes,
        nodes[producer].outputs.count == 1
      else { continue }
      nodes[producer].operation = convolution.clamping(clamp.codes)
      nodes[producer].outputs = nodes[index].outputs
      uses.producers[nodes[index].outputs[0]] = producer
      dropped.insert(index)
    }
    nodes.remove(at: dropped)
  }
}

extension NodeView {
  /// The input that is one constant code, and that code, of a node of two 8-bit inputs with a result shaped like the
  /// other.
  func constantCode() throws -> (other: Int, code: Int32)? {
    guard inputCount == 2 else { return nil }
    for index in 0...1 {
      let (constant, other) = (try input(index), try input(1 - index))
      guard isConstant(index), constant.shape.elementCount == 1, try other.shape == output(0).shape,
        let byte = self.constant(index)?.first
      else { continue }
      switch other.elementType {
      case .int8: return (1 - index, Int32(Int8(bitPattern: byte)))
      case .uint8: return (1 - index, Int32(byte))
      default: return nil
      }
    }
    return nil
  }
}
