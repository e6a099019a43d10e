import SwiftletEngine
import SwiftletSchema

/// The scales of the blocks of a matrix.
struct BlockScales: Sendable {
  /// The scales, one per block, row by row.
  let values: [Float]
  let size: Int
}

extension NodeView {
  /// Returns the scales of input `index`, a constant matrix, if it has blockwise quantization; otherwise `nil`.
  ///
  /// - Throws: An error if the scales aren't positive float16 constants, or if they don't match the matrix.
  func blockScales(ofInput index: Int) throws -> BlockScales? {
    guard let (blocks, spec, constant) = blocks(ofInput: index) else { return nil }
    let matrix = try input(index)
    guard matrix.shape.rank == 2, blocks.axes.isEmpty || blocks.axes == [1], blocks.size > 0,
      matrix.shape[1].isMultiple(of: blocks.size)
    else {
      throw invalid(
        "input \(index) \(matrix) must be a matrix of rows of whole blocks of \(blocks.size) elements to be quantized in blocks"
      )
    }
    guard spec.elementType == .float16, let constant,
      spec.shape.elementCount == matrix.shape.elementCount / blocks.size
    else {
      throw invalid(
        "input \(index) \(matrix) takes \(matrix.shape.elementCount / blocks.size) constant float16 scales for blocks of \(blocks.size) elements, got \(spec)"
      )
    }
    let scales = (0..<spec.shape.elementCount).map {
      constant.loadUnaligned(fromByteOffset: 2 * $0, as: Half.self).floatValue
    }
    guard scales.allSatisfy({ $0.isFinite && $0 > 0 }) else {
      throw invalid("input \(index) \(matrix) has a scale in \(spec) that is not a positive number")
    }
    return BlockScales(values: scales, size: blocks.size)
  }
}
