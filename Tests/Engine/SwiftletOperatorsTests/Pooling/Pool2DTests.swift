import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

private func pool<Scalar: TensorScalar>(
  _ kind: BuiltinOperator, _ values: [Scalar], shape: [Int], window: (Int32, Int32) = (2, 2),
  strides: (Int32, Int32) = (1, 1), same: Bool = false, activation: Int8 = 0, scale: Float? = nil, zeroPoint: Int32 = 0
) throws -> Tensor {
  var graph = TestGraph()
  let data = graph.input(Scalar.elementType, shape, scale: scale, zeroPoint: zeroPoint)
  let result = graph.output(Scalar.elementType, [], scale: scale, zeroPoint: zeroPoint)
  graph.add(
    kind, [data], [result],
    options: Pool2DOptions.with {
      [
        $0.padding(same ? .same : .valid), $0.strideWidth(strides.1), $0.strideHeight(strides.0),
        $0.filterWidth(window.1), $0.filterHeight(window.0), $0.fusedActivation(code: activation),
      ]
    }, version: kind == .l2Pool2D ? 1 : 2)
  return try graph.session().run([try Tensor(values, shape: Shape(shape))])[0]
}

@Suite("Pooling")
struct Pool2DTests {
  @Test("averages only elements inside the image")
  func averages() throws {
    let values: [Float] = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    let result = try pool(.averagePool2D, values, shape: [1, 3, 3, 1], same: true)
    #expect(try result.values(as: Float.self) == [3, 4, 4.5, 6, 7, 7.5, 7.5, 8.5, 9])
    let wide = try pool(.averagePool2D, values, shape: [1, 3, 3, 1], window: (9, 9), strides: (3, 3), same: true)
    #expect(try wide.values(as: Float.self) == [5])
  }

  @Test("rounds averages of quantized values half away from zero")
  func roundsAverages() throws {
    let codes: [Int8] = [1, -1, 2, -2, 2, 3, -2, -3]
    let result = try pool(.averagePool2D, codes, shape: [1, 1, 2, 4], window: (1, 2))
    #expect(try result.values(as: Int8.self) == [2, 1, 0, -3])
    let bytes = try pool(
      .averagePool2D, [UInt8(254), 255, 0, 1], shape: [1, 1, 4, 1], window: (1, 2), strides: (1, 2))
    #expect(try bytes.values(as: UInt8.self) == [255, 1])
    let words = try pool(.averagePool2D, [Int16(-32768), -32767], shape: [1, 1, 2, 1], window: (1, 2))
    #expect(try words.values(as: Int16.self) == [-32768])
  }

  @Test("keeps the largest element of each channel")
  func keepsLargest() throws {
    let values: [Float] = [1, -8, 2, -7, 3, -6, 4, -5]
    #expect(try pool(.maxPool2D, values, shape: [1, 2, 2, 2]).values(as: Float.self) == [4, -5])
    let codes = try pool(.maxPool2D, [Int8(-128), -100, 7, 3], shape: [1, 2, 2, 1], same: true)
    #expect(try codes.values(as: Int8.self) == [7, 3, 7, 3])
  }

  @Test("pools windows that are far larger than the image", arguments: [BuiltinOperator.averagePool2D, .maxPool2D])
  func poolsLargeWindows(kind: BuiltinOperator) throws {
    let codes: [Int8] = [3, -7, 20, 40, 5, 6, -1, 9], floats = codes.map { Float($0) }
    for size in [255, 256, 257, 1000] as [Int32] {
      let expected: [Int8] = kind == .maxPool2D ? [20, 40] : [7, 12]
      let bytes = try pool(kind, codes, shape: [1, 2, 2, 2], window: (size, size), strides: (5, 5), same: true)
      #expect(try bytes.values(as: Int8.self) == expected, "\(size)")
      let numbers = try pool(kind, floats, shape: [1, 2, 2, 2], window: (size, size), strides: (5, 5), same: true)
      #expect(try numbers.values(as: Float.self) == (kind == .maxPool2D ? [20, 40] : [6.75, 12]), "\(size)")
    }
  }

  @Test("returns the root of the mean square")
  func takesRoots() throws {
    #expect(try pool(.l2Pool2D, [Float(1), -7, 5, -5], shape: [1, 2, 2, 1]).values(as: Float.self) == [5])
  }

  @Test("clamps to its activation, for quantized and real values")
  func clamps() throws {
    let values: [Float] = [-9, 3, 9]
    let floats = try pool(.maxPool2D, values, shape: [1, 1, 3, 1], window: (1, 1), activation: 3)
    #expect(try floats.values(as: Float.self) == [0, 3, 6])
    let codes = try pool(
      .averagePool2D, [Int8(-100), 3, 100], shape: [1, 1, 3, 1], window: (1, 1), activation: 3, scale: 0.5, zeroPoint: 1
    )
    #expect(try codes.values(as: Int8.self) == [1, 3, 13])
  }

  @Test("rejects invalid windows and inputs")
  func refusesNonsense() {
    func refuses(shape: [Int] = [1, 2, 2, 1], window: (Int32, Int32) = (2, 2), strides: (Int32, Int32) = (1, 1)) {
      #expect(throws: RuntimeError.self) {
        try pool(
          .averagePool2D, [Float](repeating: 0, count: shape.reduce(1, *)), shape: shape, window: window,
          strides: strides)
      }
    }
    refuses(window: (0, 1))
    refuses(window: (1, -1))
    refuses(strides: (0, 1))
    refuses(window: (4, 1))
    refuses(shape: [1, 2, 2])
    refuses(shape: [1, 0, 2, 1])
  }

  @Test("does nothing for an empty batch")
  func acceptsEmptyBatch() throws {
    #expect(try pool(.maxPool2D, [Float](), shape: [0, 2, 2, 1]).shape == [0, 1, 1, 1])
  }
}
