import SwiftletImage
import SwiftletSchema
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Edge cases of gesture models")
struct GestureModelEdgeTests {
  /// Returns an embedder with another output, or a second output.
  private func embedder(isInteger: Bool = false, hasSecondOutput: Bool = false, inputType: ElementType = .float32)
    -> [UInt8]
  {
    var graph = TestGraph()
    let counts = [63, 1, 63]
    var parts: [Int] = []
    for (index, shape) in [[1, 21, 3], [1, 1], [1, 21, 3]].enumerated() {
      let flat = graph.tensor(inputType, [1, counts[index]])
      graph.add(.reshape, [graph.input(inputType, shape), graph.constant([Int32(1), Int32(counts[index])])], [flat])
      parts.append(flat)
    }
    let options = ConcatenationOptions.with { [$0.axis(1)] }
    if isInteger || inputType != .float32 {
      let joined = graph.tensor(inputType, [1, 127])
      graph.add(.concatenation, parts, [joined], options: options)
      graph.add(.cast, [joined], [graph.output(isInteger ? .int32 : .float32, [1, 127])])
    } else {
      graph.add(.concatenation, parts, [graph.output(.float32, [1, 127])], options: options)
    }
    if hasSecondOutput { graph.addOutput(parts[0]) }
    return TestGraph.bytes([graph])
  }

  private func error(_ embedder: [UInt8]) -> TaskError? {
    taskError { _ = try SyntheticGestures.recognizer(SyntheticGestures.bundle(embedder: embedder)) }
  }

  @Test("an embedder has three float32 inputs and one float32 output")
  func embedders() {
    #expect(error(embedder()) == nil)
    for bytes in [embedder(isInteger: true), embedder(hasSecondOutput: true)] {
      let error = error(bytes)
      #expect(error?.code == .invalidModel && error?.message.contains("/gesture_embedder.tflite: ") == true)
      #expect(
        error?.message.contains("a gesture embedder has one output of float32 numbers, but this model's are ") == true)
    }
    let integers = error(embedder(inputType: .int32))
    #expect(integers?.code == .invalidModel)
    #expect(
      integers?.message.contains("a gesture embedder takes [63, 1, 63] float32 numbers, but this model's") == true)
  }

  private func hand(_ points: [SIMD3<Float>], handedness: Handedness = .right, score: Float = 0.75) -> Hand {
    Hand(
      landmarks: points.map { NormalizedLandmark(x: $0.x, y: $0.y, z: $0.z) },
      worldLandmarks: points.map { Landmark(x: $0.x * 10, y: $0.y * 10, z: $0.z * 10) }, handedness: handedness,
      handednessScore: score)
  }

  private func numbers(_ input: GestureInput, _ count: Int, isWorld: Bool = false) -> [Float] {
    var numbers = [Float](repeating: 7, count: count)
    numbers.withUnsafeMutableBufferPointer {
      isWorld ? input.writeWorldLandmarks(to: $0) : input.writeLandmarks(to: $0)
    }
    return numbers
  }

  @Test("landmarks are relative to the wrist and scaled by the longer side of their box, ignoring z")
  func landmarks() throws {
    // In an image twice as wide as high, x counts fully and y counts half.
    let image = try GivingModel.image(200, 100)
    let input = GestureInput(hand([[0.5, 0.5, 0.25], [0.75, 0.25, 9], [0.25, 1, -1]]), in: image)
    let found = numbers(input, 9)
    // x from 0.25 to 0.75, y from 0.125 to 0.5.
    let expected: [Float] = [0, 0, 0, 0.25, -0.125, 8.75, -0.25, 0.25, -1.25].map { $0 / (0.5 + 1e-5) }
    for (one, other) in zip(found, expected) { #expect(abs(one - other) < 1e-4) }
    let world = numbers(input, 9, isWorld: true)
    let worldExpected: [Float] = [0, 0, 0, 2.5, -2.5, 87.5, -2.5, 5, -12.5].map { $0 / (7.5 + 1e-5) }
    for (one, other) in zip(world, worldExpected) { #expect(abs(one - other) < 1e-4) }
    // Buffers of other sizes stay unchanged.
    #expect(
      numbers(input, 8) == [Float](repeating: 7, count: 8) && numbers(input, 12, isWorld: true).allSatisfy { $0 == 7 })
    #expect(numbers(GestureInput(hand([]), in: image), 0).isEmpty)
  }

  @Test("in a rotated image, landmarks are rotated upright")
  func turned() throws {
    var image = try GivingModel.image(100, 200)
    image.orientation = .right
    let input = GestureInput(hand([[0.5, 0.5, 0], [0.5, 0.25, 0], [1, 0.5, 0]]), in: image)
    // In units of 200 pixels: (0, -0.25) and (0.25, 0); rotated right by a quarter turn: (0.25, 0) and (0, 0.25).
    for (one, other) in zip(numbers(input, 9), [0, 0, 0, 1, 0, 0, 0, 1, 0] as [Float]) {
      #expect(abs(one - other) < 1e-3)
    }
  }

  @Test("handedness is the probability of a right hand")
  func handedness() throws {
    let image = try GivingModel.image()
    #expect(GestureInput(hand([]), in: image).right == 0.75)
    #expect(GestureInput(hand([], handedness: .left), in: image).right == 0.25)
  }
}
