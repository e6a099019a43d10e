import SwiftletKernels
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Checks that the memory of operators besides their tensors is limited, to the byte.
@Suite("Memory requested by operators")
struct MemoryLimitTests {
  private func error(_ probe: Probe, arenaBytes: Int, tensorBytes: Int? = nil) -> RuntimeError? {
    var probe = probe
    probe.runtime.limits.arenaBytes = arenaBytes
    if let tensorBytes { probe.runtime.limits.tensorBytes = tensorBytes }
    return thrownError { try probe.compile() }
  }

  /// Checks a limit.
  ///
  /// - Parameters:
  ///   - bytes: The required memory.
  ///   - words: The error message for one byte less.
  private func check(_ probe: Probe, takes bytes: Int, _ words: String) {
    let refused = error(probe, arenaBytes: bytes - 1)
    #expect(refused?.code == .limitExceeded)
    let saysSo = refused?.message.contains(words) == true
    #expect(saysSo, "says '\(refused?.message ?? "nothing")'")
    #expect(refused?.location?.operatorName == probe.kind.name)
    // With exactly this limit, another error can occur.
    let other = error(probe, arenaBytes: bytes)
    let saysOther = other?.message.contains(words) != true
    #expect(saysOther, "says '\(other?.message ?? "nothing")'")
  }

  private let kernels = KernelTable.current

  private static let unlimited: RuntimeOptions = {
    var options = RuntimeOptions()
    options.limits.arenaBytes = 1 << 40
    return options
  }()

  @Test("packed weights of a layer")
  func layer() {
    let probe = Probe(
      .fullyConnected, [.floats([1, 33]), .zeros(.float32, [50, 33])], [.floats()], FullyConnectedOptions.empty)
    let bytes = kernels.gemm.packedCount(columns: 50, depth: 33) * 4
    check(probe, takes: bytes, "packed weights would take more than the limit of \(bytes - 1) bytes")
  }

  @Test("packed weights of a recurrent layer, floats and bytes")
  func recurrent() {
    func layer(_ type: ElementType) -> Probe {
      func weights(_ shape: [Int]) -> ProbeTensor {
        let tensor = ProbeTensor.zeros(type, shape)
        return type == .int8 ? tensor.scaled(0.1) : tensor
      }
      return Probe(
        .rnn,
        [
          .floats([1, 200]), weights([3, 200]), weights([3, 3]), .zeros(.float32, [3]), .variable(.float32, [1, 3]),
        ], [.floats()], RNNOptions.empty, version: 2)
    }
    check(
      layer(.float32), takes: kernels.gemm.packedCount(columns: 3, depth: 200) * 4,
      "'t1' float32[3×200] are too large to pack")
    check(
      layer(.int8), takes: (200 + 64) * (3 + kernels.quantizedGemm.panelColumns),
      "'t1' int8[3×200] are too large to pack")
  }

  @Test("packed weights of an integer filter")
  func integerFilter() {
    let probe = Probe(
      .svdf,
      [
        .of(.int8, [1, 200], scale: 1), ProbeTensor.zeros(.int8, [2, 200]).scaled(1),
        ProbeTensor.zeros(.int16, [2, 3]).scaled(1), .zeros(.int32, [2]),
        ProbeTensor.variable(.int16, [1, 6]).scaled(1),
      ], [.of(.int8, scale: 1)], SVDFOptions.with { [$0.rank(1), $0.fusedActivation(.relu)] }, version: 3)
    let step = kernels.quantizedGemm.panelColumns
    check(probe, takes: (200 + 64) * ((2 + step - 1) / step * step), "weights are too large to pack")
  }

  @Test("tables of an image's rows and columns")
  func resize() {
    let probe = Probe(
      .resizeNearestNeighbor, [.of(.int8, [1, 1, 1, 1]), .ints([100, 50])], [.of(.int8)],
      ResizeNearestNeighborOptions.empty)
    check(probe, takes: 150 * 7 * 8, "needs memory for [150, 7] elements, above the limit of \(150 * 7 * 8 - 1) bytes")
  }

  @Test("scratch memory for the draws of a distribution")
  func multinomial() {
    let probe = Probe(
      .multinomial, [.floats([1, 5000]), .scalar(1)], [.of(.int32)], RandomOptions.with { [$0.seed(1), $0.seed2(2)] })
    check(probe, takes: 5000 * 8, "needs memory for [5000] elements")
  }

  @Test("the number of products in a batch has a limit")
  func manyProducts() {
    func batch(_ count: Int) -> RuntimeError? {
      let probe = Probe(
        .batchMatMul, [.floats([count, 1, 1]), .floats([count, 1, 1])], [.floats()], BatchMatMulOptions.empty)
      return error(probe, arenaBytes: 1 << 32)
    }
    let refused = batch(1 << 22 + 1)
    #expect(refused?.code == .limitExceeded)
    #expect(refused?.message == "consists of 4194305 matrix products, more than 4194304")
  }

  @Test("an image of a volume has fewer than 2³¹ elements")
  func largeBoxes() {
    func box(_ depth: Int) -> Probe {
      let stride = 1 << 20
      return Probe(
        .conv3D, [.floats([1, depth, 1 << 10, 1 << 10, 1]), .zeros(.float32, [1, 1, 1, 1, 1])], [.floats()],
        Conv3DOptions.with {
          [$0.padding(.valid), $0.strideDepth(stride), $0.strideHeight(stride), $0.strideWidth(stride)]
        }, runtime: Self.unlimited)
    }
    Refusal(
      "an input image of 2147483648 elements has more than fit 32 bits", box(1 << 11), but: box((1 << 11) - 1),
      code: .limitExceeded, isUnread: true
    ).check()
  }

  @Test("the length of a normalized row has a limit")
  func longRows() {
    func rows(_ length: Int) -> RuntimeError? {
      let probe = Probe(.l2Normalization, [.floats([2, length])], [.floats()], L2NormOptions.empty)
      return error(probe, arenaBytes: 1 << 32)
    }
    #expect(rows(1 << 24) == nil)
    #expect(rows(1 << 24 + 1)?.code == .limitExceeded)
    #expect(rows(1 << 24 + 1)?.message.contains("takes rows of up to 16777216 elements") == true)
  }
}

/// Checks rows of quantized tables as real numbers, for all pairs of types.
@Suite("Lookups of quantized rows")
struct QuantizedLookupTests {
  private func halves(_ tensor: Tensor) -> [Float] {
    tensor.bytes.withUnsafeBytes { raw in
      (0..<raw.count / 2).map { raw.loadUnaligned(fromByteOffset: 2 * $0, as: Half.self).floatValue }
    }
  }

  @Test("one scale, or one per row", arguments: [[0.5], [0.5, 0.25, 2]] as [[Float]])
  func rows(scales: [Float]) throws {
    let numbers: [Int32] = [2, 0, 1, 2]
    func lookup(_ table: ProbeTensor, _ type: ElementType) throws -> Tensor {
      try Probe(.embeddingLookup, [.values(numbers), table.scaled(scales, axis: 0)], [.of(type)]).run()[0]
    }
    func expected(_ codes: [Int]) -> [Float] {
      numbers.flatMap { row in
        (0..<2).map { Float(codes[2 * Int(row) + $0]) * (scales.count == 1 ? scales[0] : scales[Int(row)]) }
      }
    }
    let signed = [-128, 5, 0, -7, 127, 1], unsigned = [255, 5, 0, 128, 127, 1]
    let signedTable = ProbeTensor.constant(signed.map { Int8($0) }, [3, 2])
    let unsignedTable = ProbeTensor.constant(unsigned.map { UInt8($0) }, [3, 2])
    #expect(try lookup(signedTable, .float32).values() == expected(signed))
    #expect(try lookup(unsignedTable, .float32).values() == expected(unsigned))
    #expect(halves(try lookup(signedTable, .float16)) == expected(signed))
    #expect(halves(try lookup(unsignedTable, .float16)) == expected(unsigned))
  }

  @Test("blocks require 4-bit or 2-bit elements and a scale each", arguments: [ElementType.int8, .uint8])
  func blocks(type: ElementType) {
    let error: RuntimeError? = thrownError {
      var graph = TestGraph()
      let table = graph.constant(bytes: [UInt8](repeating: 1, count: 8), of: type, shape: [2, 4])
      let scales = graph.constant(bytes: [UInt8](repeating: 0x3C, count: 8), of: .float16, shape: [2, 2])
      graph.quantize(table, inBlocksOf: 2, scales: scales)
      graph.add(.embeddingLookup, [graph.input(.int32, [1]), table], [graph.output(.float32, [])])
      _ = try graph.session()
    }
    #expect(error?.code == .invalidModel)
    #expect(error?.message.contains("which is supported only for int4 and int2") == true)
  }

  @Test("a softmax of so many equal values that their sum overflows is zero")
  func overflowingSoftmax() throws {
    let count = 70_000
    let probe = Probe(
      .softmax, [ProbeTensor.values([Int16](repeating: 5, count: count)).scaled(0.001)], [.of(.int16, scale: 0x1p-15)],
      SoftmaxOptions.with { [$0.beta(1)] }, version: 3)
    let result: [Int16] = try probe.run()[0].values()
    let isZero = result.allSatisfy { $0 == 0 }
    #expect(isZero && result.count == count)
    let few = Probe(
      .softmax, [ProbeTensor.values([Int16](repeating: 5, count: 4)).scaled(0.001)], [.of(.int16, scale: 0x1p-15)],
      SoftmaxOptions.with { [$0.beta(1)] }, version: 3)
    #expect(try few.run()[0].values(as: Int16.self).allSatisfy { abs(Int($0) - 8192) <= 2 })
  }
}
