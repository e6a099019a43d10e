import SwiftletBase
import SwiftletDiagnosis
import SwiftletEngine
import SwiftletOperators
import SwiftletSchema
import SwiftletTestSupport

/// A small image classifier with seeded weights, and its quantized form.
///
/// The quantized model is made as converters make it: int8 activations with the ranges of a calibration, int8 weights
/// with a scale per channel, and int32 biases.
struct QuantizedPair {
  let float: Model
  var quantized: Model
  /// Inputs in −1…1.
  let inputs: [[Tensor]]

  static let side = 12

  init(seed: UInt64 = 7) throws {
    var random = SplitMix64(seed: seed, part: 0)
    float = try Self.floatGraph(&random).model()
    inputs = try (0..<6).map { _ in
      let values = (0..<(Self.side * Self.side * 3)).map { _ in Float.random(in: -1...1, using: &random) }
      return [try Tensor(values, shape: Shape([1, Self.side, Self.side, 3]))]
    }
    let ranges = try ModelDiagnosis(of: float, inputs: inputs).tensors
    quantized = Model(try Self.quantized(float.file, ranges))
  }

  private static func floatGraph(_ random: inout SplitMix64) -> TestGraph {
    var graph = TestGraph()
    func values(_ count: Int, _ scale: Float) -> [Float] {
      (0..<count).map { _ in Float.random(in: -scale...scale, using: &random) }
    }
    /// Weights whose channels have very different sizes, as after batch normalization.
    func weights(_ shape: [Int], axis: Int) -> [Float] {
      let stride = shape[(axis + 1)...].reduce(1, *)
      return values(shape.reduce(1, *), 0.5).enumerated().map { index, value in
        value * Float(1 + index / stride % shape[axis] % 5) * 0.4
      }
    }
    let size = side
    let image = graph.input(.float32, [1, size, size, 3])
    graph.name(image, "image")
    func convolution(
      _ input: Int, _ name: String, inputs: Int, outputs: Int, window: Int, size: Int, isDepthwise: Bool = false
    ) -> Int {
      let shape = isDepthwise ? [1, window, window, outputs] : [outputs, window, window, inputs]
      let filter = graph.constant(weights(shape, axis: isDepthwise ? 3 : 0), shape: shape)
      let bias = graph.constant(values(outputs, 0.6))
      let result = graph.tensor(.float32, [1, size, size, outputs])
      graph.name(filter, name + "/weights")
      graph.name(bias, name + "/bias")
      graph.name(result, name)
      graph.add(
        isDepthwise ? .depthwiseConv2D : .conv2D, [input, filter, bias], [result],
        options: isDepthwise
          ? DepthwiseConv2DOptions.with {
            [$0.strideWidth(1), $0.strideHeight(1), $0.depthMultiplier(1), $0.fusedActivation(.relu)]
          } : Conv2DOptions.with { [$0.strideWidth(1), $0.strideHeight(1), $0.fusedActivation(.relu)] })
      return result
    }
    let first = convolution(image, "first", inputs: 3, outputs: 8, window: 3, size: size)
    let second = convolution(first, "second", inputs: 8, outputs: 8, window: 3, size: size, isDepthwise: true)
    let third = convolution(second, "third", inputs: 8, outputs: 12, window: 1, size: size)
    let fourth = convolution(third, "fourth", inputs: 12, outputs: 12, window: 3, size: size, isDepthwise: true)
    let fifth = convolution(fourth, "fifth", inputs: 12, outputs: 16, window: 1, size: size)
    let mean = graph.tensor(.float32, [1, 16])
    graph.name(mean, "mean")
    graph.add(.mean, [fifth, graph.constant([Int32(1), 2])], [mean], options: ReducerOptions.empty)
    let matrix = graph.constant(values(16 * 5, 0.3), shape: [5, 16])
    let bias = graph.constant(values(5, 0.3))
    let scores = graph.output(.float32, [1, 5])
    graph.name(matrix, "scores/weights")
    graph.name(bias, "scores/bias")
    graph.name(scores, "scores")
    graph.add(.fullyConnected, [mean, matrix, bias], [scores])
    return graph
  }

  private static func quantized(_ file: ModelFile, _ ranges: [ModelDiagnosis.ObservedTensor]) throws -> ModelFile {
    var file = file
    var graph = file.subgraphs[0]
    for observed in ranges {
      guard let range = observed.range else { continue }
      let (lower, upper) = (min(range.lowerBound, 0), max(range.upperBound, 0))
      let scale = (upper - lower) / 255
      graph.tensors[observed.index].type = .int8
      graph.tensors[observed.index].quantization = QuantizationDescription(
        scales: [scale], zeroPoints: [-128 - Int((lower / scale).rounded())], axis: 0)
    }
    for operation in graph.operators where operation.inputs.count == 3 {
      guard let input = operation.inputs[0], let weights = operation.inputs[1], let bias = operation.inputs[2] else {
        continue
      }
      let isDepthwise = operation.code.kind == .builtin(.depthwiseConv2D)
      let axis = isDepthwise ? 3 : 0
      let isMatrix = operation.code.kind == .builtin(.fullyConnected)
      Quantizer.quantizeWeights(&graph.tensors[weights], axis: isMatrix ? nil : axis)
      let scales = graph.tensors[weights].quantization?.scales ?? []
      let inputScale = graph.tensors[input].quantization?.scales[0] ?? 1
      Quantizer.quantizeBias(&graph.tensors[bias], scales: scales.map { $0 * inputScale })
    }
    file.subgraphs[0] = graph
    return file
  }
}

/// Quantization of constants, and faults in it.
enum Quantizer {
  static func values<Element: BitwiseCopyable>(_ tensor: TensorDescription, as type: Element.Type) -> [Element] {
    tensor.data?.withBytes { bytes in
      (0..<(bytes.count / MemoryLayout<Element>.stride)).map {
        bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Element>.stride, as: Element.self)
      }
    } ?? []
  }

  static func bytes(_ values: [some BitwiseCopyable]) -> ByteRegion {
    ByteRegion(values.withUnsafeBytes { [UInt8]($0) })
  }

  private static func stride(_ shape: [Int], _ axis: Int) -> Int { shape[(axis + 1)...].reduce(1, *) }

  /// Quantizes float weights symmetrically, with one scale per index of `axis`, or one for all.
  static func quantizeWeights(_ tensor: inout TensorDescription, axis: Int?) {
    let values = values(tensor, as: Float.self)
    let channels = axis.map { tensor.shape[$0] } ?? 1
    let step = axis.map { stride(tensor.shape, $0) } ?? values.count
    var largest = [Float](repeating: 1e-9, count: channels)
    for (index, value) in values.enumerated() {
      largest[index / step % channels] = max(largest[index / step % channels], abs(value))
    }
    let scales = largest.map { $0 / 127 }
    tensor.data = bytes(
      values.enumerated().map { Int8(clamping: Int(($1 / scales[$0 / step % channels]).rounded())) })
    tensor.type = .int8
    tensor.quantization = QuantizationDescription(
      scales: scales, zeroPoints: [Int](repeating: 0, count: channels), axis: axis ?? 0)
  }

  static func quantizeBias(_ tensor: inout TensorDescription, scales: [Float]) {
    let values = values(tensor, as: Float.self)
    let all = scales.count == 1 ? [Float](repeating: scales[0], count: values.count) : scales
    tensor.data = bytes(zip(values, all).map { Int32(clamping: Int(($0 / $1).rounded())) })
    tensor.type = .int32
    tensor.quantization = QuantizationDescription(
      scales: scales, zeroPoints: [Int](repeating: 0, count: scales.count), axis: 0)
  }

  /// Returns the real numbers of quantized weights.
  static func real(_ tensor: TensorDescription) -> [Float] {
    let codes = values(tensor, as: Int8.self)
    guard let quantization = tensor.quantization else { return codes.map(Float.init) }
    let count = quantization.scales.count
    let step = count > 1 ? stride(tensor.shape, quantization.axis) : codes.count
    return codes.enumerated().map { quantization.scales[$0 / max(1, step) % count] * Float($1) }
  }
}

/// A fault to plant into a layer of a quantized model.
enum PlantedFault: String, CaseIterable, Sendable {
  case weightsScale, activationScale, clippedBias, zeroPoint, perTensorWeights, swappedChannels, clippedWeights

  /// Plants the fault.
  ///
  /// - Parameter operation: An operator with weights.
  /// - Returns: Whether the layer can have the fault.
  func plant(into graph: inout Subgraph, at operation: Int) -> Bool {
    guard let weights = graph.operators[operation].inputs[1], let bias = graph.operators[operation].inputs[2] else {
      return false
    }
    let output = graph.operators[operation].outputs[0]
    switch self {
    case .weightsScale:
      let scales = graph.tensors[weights].quantization?.scales ?? []
      graph.tensors[weights].quantization?.scales = scales.map { $0 * 4 }
    case .activationScale:
      let scales = graph.tensors[output].quantization?.scales ?? []
      graph.tensors[output].quantization?.scales = scales.map { $0 * 4 }
    case .clippedBias:
      let codes = Quantizer.values(graph.tensors[bias], as: Int32.self)
      let limit = codes.map(abs).sorted()[codes.count / 3]
      graph.tensors[bias].data = Quantizer.bytes(codes.map { min(max($0, -limit), limit) })
    case .zeroPoint:
      let zeroPoint = graph.tensors[output].quantization?.zeroPoints[0] ?? 0
      graph.tensors[output].quantization?.zeroPoints = [zeroPoint < 0 ? zeroPoint + 60 : zeroPoint - 60]
    case .perTensorWeights:
      guard (graph.tensors[weights].quantization?.scales.count ?? 0) > 1 else { return false }
      let biasValues = zip(
        Quantizer.values(graph.tensors[bias], as: Int32.self), graph.tensors[bias].quantization?.scales ?? []
      ).map { Float($0) * $1 }
      let ratio =
        (graph.tensors[bias].quantization?.scales[0] ?? 1) / (graph.tensors[weights].quantization?.scales[0] ?? 1)
      let real = Quantizer.real(graph.tensors[weights])
      graph.tensors[weights].data = Quantizer.bytes(real)
      Quantizer.quantizeWeights(&graph.tensors[weights], axis: nil)
      graph.tensors[bias].data = Quantizer.bytes(biasValues)
      Quantizer.quantizeBias(
        &graph.tensors[bias], scales: (graph.tensors[weights].quantization?.scales ?? []).map { $0 * ratio })
    case .swappedChannels:
      var codes = Quantizer.values(graph.tensors[weights], as: Int8.self)
      let shape = graph.tensors[weights].shape
      let isDepthwise = graph.operators[operation].code.kind == .builtin(.depthwiseConv2D)
      let count = isDepthwise ? shape[3] : shape[0]
      let size = codes.count / count
      for index in 0..<size {
        let (one, other) = isDepthwise ? (index * count, index * count + 3) : (index, 3 * size + index)
        codes.swapAt(one, other)
      }
      graph.tensors[weights].data = Quantizer.bytes(codes)
    case .clippedWeights:
      let codes = Quantizer.values(graph.tensors[weights], as: Int8.self)
      graph.tensors[weights].data = Quantizer.bytes(codes.map { min(max($0, -40), 40) })
    }
    return true
  }
}
