import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Returns the bytes of a C structure: padding, stride width and height, window width and height, and activation.
private func structure(_ fields: Int32...) -> [UInt8] {
  fields.flatMap { field in withUnsafeBytes(of: field.littleEndian) { [UInt8]($0) } }
}

private func pool(_ values: [Float], shape: [Int], options: [UInt8]) throws -> [Tensor] {
  var graph = TestGraph()
  let data = graph.input(.float32, shape)
  let outputs = [graph.output(.float32, []), graph.output(.float32, [])]
  graph.add(custom: "MaxPoolingWithArgmax2D", [data], outputs, options: options)
  return try graph.session().run([Tensor(values, shape: Shape(shape))])
}

private func unpool(_ values: [Float], positions: [Float], shape: [Int], options: [UInt8]) throws -> Tensor {
  var graph = TestGraph()
  let inputs = [graph.input(.float32, shape), graph.input(.float32, shape)]
  graph.add(custom: "MaxUnpooling2D", inputs, [graph.output(.float32, [])], options: options)
  return try graph.session().run([
    Tensor(values, shape: Shape(shape)), Tensor(positions, shape: Shape(shape)),
  ])[0]
}

@Suite("MaxPoolingWithArgmax2D and MaxUnpooling2D")
struct CustomPoolingTests {
  private let halving = structure(1, 2, 2, 2, 2, 0)

  @Test("return the largest element of each window and its position, the first of equals")
  func pools() throws {
    let values: [Float] = [1, 5, 2, 2, 3, 4, 2, 1]
    let result = try pool(values, shape: [1, 2, 4, 1], options: halving)
    #expect(result[0].shape == [1, 1, 2, 1])
    #expect(try result[0].values() == [Float(5), 2])
    #expect(try result[1].values() == [Float(1) + 0.1, 0.1])
  }

  @Test("count positions in the window with its padding")
  func countsWithPadding() throws {
    // A window of 3 with stride 2 over 3 elements begins one element before the first.
    let result = try pool([7, 1, 9], shape: [1, 1, 3, 1], options: structure(1, 2, 1, 3, 1, 0))
    #expect(try result[0].values() == [Float(7), 9])
    #expect(try result[1].values() == [Float(1) + 0.1, Float(1) + 0.1])
  }

  @Test("keep channels separate and clamp")
  func keepsChannelsApart() throws {
    let values: [Float] = [1, 9, 8, 2, 3, 3, 4, 4]
    let result = try pool(values, shape: [1, 2, 2, 2], options: structure(2, 2, 2, 2, 2, 3))
    #expect(try result[0].values() == [Float(6), 6])
    #expect(try result[1].values() == [Float(1) + 0.1, 0.1])
  }

  @Test("are inverse to each other")
  func undoEachOther() throws {
    let values: [Float] = [1, 5, 2, 2, 3, 4, 2, 1]
    let pooled = try pool(values, shape: [1, 2, 4, 1], options: halving)
    let result = try unpool(
      pooled[0].values(), positions: pooled[1].values(), shape: [1, 1, 2, 1], options: halving)
    #expect(result.shape == [1, 2, 4, 1])
    #expect(try result.values() == [Float(0), 5, 2, 0, 0, 0, 0, 0])
  }

  @Test("ignore positions outside the output", arguments: [-3.0, 17, 1e30, -1e30, .infinity, .nan] as [Float])
  func passesOverPlacesOutside(position: Float) throws {
    let result = try unpool([3], positions: [position], shape: [1, 1, 1, 1], options: structure(1, 1, 1, 1, 1, 0))
    #expect(try result.values() == [Float(0)])
  }

  @Test("give the same results for many channels as for each separately", arguments: [1, 7, 8, 19])
  func manyChannels(count: Int) throws {
    var numbers = SplitMix64(state: 7)
    let shape = [1, 6, 10, count]
    let values = (0..<60 * count).map { _ in Float(Int(numbers.next() % 64)) - 32 }
    let pooled = try pool(values, shape: shape, options: halving)
    // Some positions aren't in the window.
    let odd: [Float] = [-1, -0.5, 3.99, 4, 9.1, -3, .nan, .infinity]
    let places = try pooled[1].values().map { (place: Float) in
      numbers.next() % 8 == 0 ? odd[Int(numbers.next() % 8)] : place
    }
    let maxima: [Float] = try pooled[0].values()
    let whole: [Float] = try unpool(maxima, positions: places, shape: [1, 3, 5, count], options: halving).values()
    for channel in 0..<count {
      func alone(_ values: [Float]) -> [Float] {
        stride(from: channel, to: values.count, by: count).map { values[$0] }
      }
      let expected = try pool(alone(values), shape: [1, 6, 10, 1], options: halving)
      #expect(try expected[0].values() == alone(maxima))
      #expect(try expected[1].values() == alone(try pooled[1].values()))
      let put = try unpool(alone(maxima), positions: alone(places), shape: [1, 3, 5, 1], options: halving)
      #expect(try put.values() == alone(whole))
    }
  }

  @Test(
    "reject truncated and invalid options",
    arguments: [
      [], [1, 2, 2, 2], [0, 2, 2, 2, 2, 0], [1, 0, 2, 2, 2, 0], [1, 2, 2, -1, 2, 0], [1, 2, 2, 2, 70_000, 0],
      [1, 2, 2, 2, 2, 4],
    ] as [[Int32]])
  func refusesOptions(fields: [Int32]) {
    let bytes = fields.flatMap { structure($0) }
    #expect(throws: RuntimeError.self) { try pool([1, 2, 3, 4], shape: [1, 2, 2, 1], options: bytes) }
    #expect(throws: RuntimeError.self) {
      try unpool([1], positions: [0], shape: [1, 1, 1, 1], options: bytes)
    }
  }

  @Test("reject other ranks, and positions of another shape")
  func refusesShapes() {
    #expect(throws: RuntimeError.self) { try pool([1, 2, 3, 4], shape: [2, 2, 1], options: halving) }
    var graph = TestGraph()
    let inputs = [graph.input(.float32, [1, 1, 1, 1]), graph.input(.float32, [1, 1, 2, 1])]
    graph.add(custom: "MaxUnpooling2D", inputs, [graph.output(.float32, [])], options: halving)
    #expect(throws: RuntimeError.self) { try graph.session() }
  }
}
