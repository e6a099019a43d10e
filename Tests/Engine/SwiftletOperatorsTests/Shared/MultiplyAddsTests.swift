import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Checks the multiply-adds of a run in reports: for every output, the number of summed elements, including padding.
@Suite("Multiply-adds of operators")
struct MultiplyAddsTests {
  private func count(_ probe: Probe) throws -> Int { try probe.compile().multiplyAdds }

  private static let window = Conv2DOptions.with { [$0.padding(.valid), $0.strideHeight(1), $0.strideWidth(2)] }

  @Test("fully connected layers and batched products")
  func products() throws {
    let layer = Probe(
      .fullyConnected, [.floats([3, 5]), .zeros(.float32, [7, 5])], [.floats()], FullyConnectedOptions.empty)
    #expect(try count(layer) == 3 * 5 * 7)
    func batch(_ left: [Int], _ right: [Int]) -> Probe {
      Probe(.batchMatMul, [.floats(left), .floats(right)], [.floats()], BatchMatMulOptions.empty)
    }
    #expect(try count(batch([2, 3, 5], [2, 5, 7])) == 2 * 3 * 5 * 7)
    #expect(try count(batch([2, 3, 5], [5, 7])) == 2 * 3 * 5 * 7)
    #expect(try count(batch([11, 1, 3, 5], [2, 5, 7])) == 11 * 2 * 3 * 5 * 7)
  }

  @Test("convolutions")
  func convolutions() throws {
    // The outputs of 2 images are 4 × 3 pixels: 6 - 3 + 1 rows and (7 - 2) / 2 + 1 columns.
    let plain = Probe(.conv2D, [.floats([2, 6, 7, 5]), .zeros(.float32, [11, 3, 2, 5])], [.floats()], Self.window)
    #expect(try count(plain) == 2 * 4 * 3 * (3 * 2 * 5) * 11)
    let grouped = Probe(.conv2D, [.floats([2, 6, 7, 6]), .zeros(.float32, [9, 3, 2, 2])], [.floats()], Self.window)
    #expect(try count(grouped) == 2 * 4 * 3 * (3 * 2 * 2) * 9)
    let depthwise = Probe(
      .depthwiseConv2D, [.floats([2, 6, 7, 5]), .zeros(.float32, [1, 3, 2, 10])], [.floats()],
      DepthwiseConv2DOptions.with { [$0.padding(.valid), $0.strideHeight(1), $0.strideWidth(2)] })
    #expect(try count(depthwise) == 2 * 4 * 3 * (3 * 2) * 10)
    let box = Probe(
      .conv3D, [.floats([2, 4, 6, 7, 5]), .zeros(.float32, [2, 3, 2, 5, 11])], [.floats()],
      Conv3DOptions.with { [$0.padding(.valid), $0.strideDepth(1), $0.strideHeight(1), $0.strideWidth(2)] })
    #expect(try count(box) == 2 * 3 * 4 * 3 * (2 * 3 * 2 * 5) * 11)
  }

  @Test("transposed convolutions, where every input is multiplied by the whole filter")
  func transposed() throws {
    let plain = Probe(
      .transposeConv, [.ints([2, 8, 9, 11]), .zeros(.float32, [11, 2, 3, 5]), .floats([2, 4, 3, 5])], [.floats()],
      TransposeConvOptions.with { [$0.padding(.valid), $0.strideHeight(2), $0.strideWidth(3)] })
    #expect(try count(plain) == 2 * 4 * 3 * (2 * 3 * 5) * 11)
    let custom = Probe(
      custom: "Convolution2DTransposeBias", [.floats([2, 4, 3, 5]), .zeros(.float32, [11, 2, 3, 5])], [.floats()],
      [2, 3, 2].flatMap { value in withUnsafeBytes(of: Int32(value).littleEndian) { [UInt8]($0) } })
    #expect(try count(custom) == 2 * 4 * 3 * (2 * 3 * 5) * 11)
  }

  @Test("recurrent layers")
  func recurrent() throws {
    let simple = Probe(
      .unidirectionalSequenceRNN,
      [
        .floats([2, 5, 3]), .zeros(.float32, [4, 3]), .zeros(.float32, [4, 4]), .zeros(.float32, [4]),
        .variable(.float32, [2, 4]),
      ], [.floats()], SequenceRNNOptions.empty)
    #expect(try count(simple) == 2 * 5 * 4 * (3 + 4))
    let filter = Probe(
      .svdf,
      [
        .floats([2, 3]), .zeros(.float32, [8, 3]), .zeros(.float32, [8, 5]), .missing, .variable(.float32, [2, 40]),
      ], [.floats()], SVDFOptions.with { [$0.rank(2)] })
    #expect(try count(filter) == 2 * 8 * (3 + 5))
    func memory(outputs: Int, isCoupled: Bool = false) -> Probe {
      var inputs = [ProbeTensor](repeating: .missing, count: 20)
      inputs[0] = .floats([2, 5, 3])
      for gate in isCoupled ? 1..<4 : 0..<4 {
        inputs[1 + gate] = .zeros(.float32, [4, 3])
        inputs[5 + gate] = .zeros(.float32, [4, outputs])
        inputs[12 + gate] = .zeros(.float32, [4])
      }
      if outputs != 4 { inputs[16] = .zeros(.float32, [outputs, 4]) }
      inputs[18] = .variable(.float32, [2, outputs])
      inputs[19] = .variable(.float32, [2, 4])
      return Probe(.unidirectionalSequenceLSTM, inputs, [.floats()], UnidirectionalSequenceLSTMOptions.empty)
    }
    #expect(try count(memory(outputs: 4)) == 2 * 5 * 4 * 4 * (3 + 4))
    #expect(try count(memory(outputs: 6)) == 2 * 5 * (4 * 4 * (3 + 6) + 4 * 6))
    #expect(try count(memory(outputs: 4, isCoupled: true)) == 2 * 5 * 3 * 4 * (3 + 4))
    let basic = Probe(
      .lstm,
      [.floats([2, 3]), .floats([2, 4]), .zeros(.float32, [16, 7]), .zeros(.float32, [16]), .floats([2, 4])],
      [.floats(), .floats(), .floats(), .floats()], LSTMOptions.with { [$0.kernelType(.basic)] }, version: 2)
    #expect(try count(basic) == 2 * 16 * 7)
  }
}
