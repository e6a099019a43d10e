import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("Sparsity")
struct SparsityTests {
  private func sparseLevel(_ segments: [Int32], _ indices: [UInt8]) -> [Int: FlatValue] {
    [0: .byte(1), 2: .byte(1), 3: .table([0: .ints(segments)]), 4: .byte(3), 5: .table([0: .bytes(indices)])]
  }

  private func denseLevel(_ size: Int32) -> [Int: FlatValue] { [1: .int(size)] }

  private func model(
    shape: [Int32], elements: Int, order: [Int32], blockMap: [Int32] = [], levels: [[Int: FlatValue]]
  ) -> RawModel {
    var model = RawModel.addition
    model.subgraphs[0].tensors[1] = .init(
      "constant", type: 9, shape: shape, data: [UInt8](repeating: 1, count: elements),
      fields: [6: .table([0: .ints(order), 1: .ints(blockMap), 2: .tables(levels)])])
    return model
  }

  @Test("of compressed rows")
  func compressedRows() throws {
    // The rows of a 3 × 4 matrix have 2, 0, and 1 values.
    let model = model(
      shape: [3, 4], elements: 3, order: [0, 1], levels: [denseLevel(3), sparseLevel([0, 2, 2, 3], [0, 3, 1])])
    let sparsity = try model.parsed().subgraphs[0].tensors[1].sparsity
    #expect(
      sparsity
        == SparsityDescription(
          traversalOrder: [0, 1], blockMap: [],
          dimensions: [.dense(size: 3), .sparse(segments: [0, 2, 2, 3], indices: [0, 3, 1])]))
  }

  @Test("in blocks, with index vectors of any width")
  func blocks() throws {
    // A 4 × 4 matrix of 2 × 2 blocks, two of them stored.
    for (tag, indices) in [(1, .ints([0, 1])), (2, .shorts([0, 1])), (3, .bytes([0, 1]))] as [(Int8, FlatValue)] {
      let level: [Int: FlatValue] = [
        0: .byte(1), 2: .byte(3), 3: .table([0: .bytes([0, 1, 2])]), 4: .byte(tag), 5: .table([0: indices]),
      ]
      let model = model(
        shape: [4, 4], elements: 8, order: [0, 1, 2, 3], blockMap: [0, 1],
        levels: [denseLevel(2), level, denseLevel(2), denseLevel(2)])
      let sparsity = try model.parsed().subgraphs[0].tensors[1].sparsity
      #expect(sparsity?.dimensions[1] == .sparse(segments: [0, 1, 2], indices: [0, 1]))
      #expect(sparsity?.blockMap == [0, 1])
    }
  }

  @Test("requires the bytes of the stored elements")
  func storedBytes() {
    let model = model(
      shape: [3, 4], elements: 2, order: [0, 1], levels: [denseLevel(3), sparseLevel([0, 2, 2, 3], [0, 3, 1])])
    #expect(model.error()?.message.contains("needs 3 bytes for 3 elements, its buffer has 2") == true)
  }

  @Test("that contradicts the shape is rejected")
  func rejects() {
    let fine = [denseLevel(3), sparseLevel([0, 2, 2, 3], [0, 3, 1])]
    let cases: [(shape: [Int32], order: [Int32], blockMap: [Int32], levels: [[Int: FlatValue]])] = [
      ([3, 4], [0, 0], [], fine),
      ([3, 4], [0, 2], [], fine),
      ([3, 4], [0], [], fine),
      ([3, 4], [0, -1], [], fine),
      ([3, 4], [0, 1], [], [denseLevel(3)]),
      ([3, 4], [0, 1], [], [denseLevel(4), fine[1]]),
      ([3, 4], [0, 1], [], [denseLevel(-3), fine[1]]),
      ([3, 4], [0, 1], [], [denseLevel(3), sparseLevel([0, 2, 3], [0, 3, 1])]),
      ([3, 4], [0, 1], [], [denseLevel(3), sparseLevel([1, 2, 2, 3], [0, 3, 1])]),
      ([3, 4], [0, 1], [], [denseLevel(3), sparseLevel([0, 3, 2, 3], [0, 3, 1])]),
      ([3, 4], [0, 1], [], [denseLevel(3), sparseLevel([0, 2, 2, 4], [0, 3, 1])]),
      ([3, 4], [0, 1], [], [denseLevel(3), sparseLevel([0, 2, 2, 2], [0, 3, 1])]),
      ([3, 4], [0, 1], [], [denseLevel(3), sparseLevel([0, 2, 2, 3], [0, 4, 1])]),
      ([3, 4], [0, 1], [], [denseLevel(3), sparseLevel([], [])]),
      ([3, 4], [0, 1], [], [denseLevel(3), [0: .byte(1)]]),
      ([4, 4], [0, 1, 2], [2], [denseLevel(2), denseLevel(4), denseLevel(2)]),
      ([4, 4], [0, 1, 2], [0], [denseLevel(2), denseLevel(4), denseLevel(0)]),
      ([4, 4], [0, 1, 2], [0], [denseLevel(2), denseLevel(4), denseLevel(3)]),
      ([4, 4], [0, 2, 1], [0], [denseLevel(2), denseLevel(2), denseLevel(4)]),
      ([4, 4], [0, 1, 2], [0], [denseLevel(2), denseLevel(4), sparseLevel([0], [])]),
      ([4, 4], [0, 1, 2, 3], [0, 0], [denseLevel(1), denseLevel(4), denseLevel(2), denseLevel(2)]),
    ]
    for (index, item) in cases.enumerated() {
      let model = model(
        shape: item.shape, elements: 64, order: item.order, blockMap: item.blockMap, levels: item.levels)
      let error = model.error()
      #expect(error?.code == .invalid, "case \(index)")
      #expect(error?.location.hasPrefix("subgraphs[0].tensors[1].sparsity") == true, "case \(index)")
    }
    let unknown = model(shape: [3, 4], elements: 3, order: [0, 1], levels: [denseLevel(3), [0: .byte(2)]])
    #expect(unknown.error()?.code == .unsupported)
  }
}
