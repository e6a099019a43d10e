import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Fourier transforms")
struct FourierTests {
  private func transform(_ values: [Float], shape: [Int], lengths: [Int32]) throws -> [Float] {
    let result = try SingleNode(.rfft2D, [try .input(values, shape), .constant(lengths)], gives: [.complex64])()
    return result.bytes.withUnsafeBytes { raw in
      (0..<(raw.count / 4)).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  @Test("an impulse has all frequencies, and a constant only the first")
  func simple() throws {
    #expect(try transform([1, 0, 0, 0], shape: [1, 4], lengths: [1, 4]) == [1, 0, 1, 0, 1, 0])
    #expect(try transform([1, 1, 1, 1], shape: [2, 2], lengths: [2, 2]) == [4, 0, 0, 0, 0, 0, 0, 0])
    #expect(try transform([1, 2, 3, 4], shape: [1, 4], lengths: [1, 2]) == [3, 0, -1, 0])
  }

  @Test("large slices, which threads share, equal small ones")
  func sharesSlices() throws {
    // Two slices of 2048 × 256, zero except for a corner; 1024 slices of one row each have the same rows.
    let corner = (0..<64).map { Float($0 % 7) - 3 }
    let large = try transform(corner + corner.reversed(), shape: [2, 1, 64], lengths: [2048, 256])
    let small = try transform(corner + corner.reversed(), shape: [2, 1, 64], lengths: [1, 256])
    #expect(large.count == 2048 * small.count)
    // If only the first number of a column is nonzero, all frequencies have this value.
    for row in [0, 1, 1000, 2047] {
      #expect(Array(large[(row * 258)..<((row + 1) * 258)]) == Array(small[0..<258]))
      #expect(Array(large[((2048 + row) * 258)..<((2049 + row) * 258)]) == Array(small[258..<516]))
    }
  }

  @Test(
    "reject lengths that aren't powers of two",
    arguments: [[3, 4], [0, 4], [-4, 4], [4], [1 << 23, 1], [4, 4, 4]] as [[Int32]])
  func refuses(lengths: [Int32]) {
    #expect(throws: RuntimeError.self) { try transform([1, 2], shape: [1, 2], lengths: lengths) }
  }

  @Test("reject a vector")
  func refusesVector() {
    #expect(throws: RuntimeError.self) { try transform([1, 2], shape: [2], lengths: [1, 2]) }
  }
}

/// Returns the output of a custom operator.
private func run(_ name: String, _ inputs: [Tensor], _ options: [String: FlexMap.Value]) throws -> Tensor {
  var graph = TestGraph()
  let tensors = inputs.map { graph.input($0.elementType, $0.shape.dimensions) }
  graph.add(custom: name, tensors, [graph.output(.float32, [])], options: FlexMap.bytes(options))
  return try graph.session().run(inputs)[0]
}

@Suite("Audio operators")
struct AudioTests {
  @Test("a spectrogram shows the frequency of a wave")
  func spectrogram() throws {
    // Four samples per period: a quarter of the sample rate, in the middle of the frequencies.
    let wave = (0..<16).map { [Float(1), 0, -1, 0][$0 % 4] }
    let result = try run(
      "AudioSpectrogram", [try Tensor(wave, shape: [16, 1])],
      ["window_size": .int(8), "stride": .int(8), "magnitude_squared": .bool(false)])
    #expect(result.shape == [1, 2, 5])
    let values: [Float] = try result.values()
    #expect(zip(values, [0, 1, 2, 1, 0, 0, 1, 2, 1, 0]).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test("transform tables are created if there are samples, and count toward the limit")
  func countsTables() throws {
    func compile(_ samples: Int) throws -> CompiledModel {
      var graph = TestGraph()
      graph.add(
        custom: "AudioSpectrogram", [graph.input(.float32, [samples, 1])], [graph.output(.float32, [])],
        options: FlexMap.bytes(["window_size": .int(1 << 16), "stride": .int(1 << 16)]))
      var options = RuntimeOptions()
      options.limits.arenaBytes = 1 << 19
      return try CompiledModel(try graph.model(), options: options)
    }
    #expect(try compile((1 << 16) - 1).outputs[0].shape == [1, 0, (1 << 15) + 1])
    let error = #expect(throws: RuntimeError.self) { try compile(1 << 16) }
    #expect(error?.code == .limitExceeded)
  }

  @Test(
    "rejects windows and strides of no length",
    arguments: [(1, 8), (0, 8), (8, 0), (8, -1), (1 << 23, 1)] as [(Int32, Int32)])
  func refuses(window: Int32, stride: Int32) throws {
    let samples = try Tensor([Float](repeating: 0, count: 16), shape: [16, 1])
    #expect(throws: RuntimeError.self) {
      try run("AudioSpectrogram", [samples], ["window_size": .int(window), "stride": .int(stride)])
    }
  }

  private func coefficients(
    _ spectrum: [Float], rate: Int32 = 8000, upper: Int32 = 3000, lower: Int32 = 20, filters: Int32 = 4,
    count: Int32 = 2
  ) throws -> [Float] {
    try run(
      "Mfcc", [try Tensor(spectrum, shape: [1, 1, spectrum.count]), try Tensor([rate], shape: [1])],
      [
        "upper_frequency_limit": .int(upper), "lower_frequency_limit": .int(lower),
        "filterbank_channel_count": .int(filters), "dct_coefficient_count": .int(count),
      ]
    ).values()
  }

  @Test("coefficients of silence correspond to the floor")
  func silence() throws {
    let values = try coefficients([Float](repeating: 0, count: 33))
    // The first is the sum of four logarithms of 1e-12 times the square root of a half; the second cancels out.
    #expect(abs(values[0] - -78.1523) < 1e-3)
    #expect(abs(values[1]) < 1e-4)
  }

  @Test("coefficients are zero for filters beyond the spectrum")
  func beyond() throws {
    #expect(try coefficients([Float](repeating: 1, count: 33), rate: 2000) == [0, 0])
  }

  @Test("rejects impossible filters")
  func refusesFilters() {
    let spectrum = [Float](repeating: 1, count: 33)
    #expect(throws: RuntimeError.self) { try coefficients(spectrum, rate: 0) }
    #expect(throws: RuntimeError.self) { try coefficients(spectrum, upper: 10, lower: 20) }
    #expect(throws: RuntimeError.self) { try coefficients(spectrum, filters: 0) }
    #expect(throws: RuntimeError.self) { try coefficients(spectrum, filters: 4, count: 5) }
    #expect(throws: RuntimeError.self) { try coefficients([1]) }
  }

  @Test("a Hadamard rotation is its own inverse")
  func hadamard() throws {
    let values = (0..<16).map { Float($0) - 3 }
    let once = try run("aeq.hadamard_rotation", [try Tensor(values, shape: [2, 8])], ["hadamard_size": .int(8)])
    let twice: [Float] = try run("aeq.hadamard_rotation", [once], ["hadamard_size": .int(8)]).values()
    #expect(try once.values() != values)
    #expect(zip(twice, values).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  @Test("rejects rotations of a length that is not a power of two", arguments: [0, -4, 3] as [Int32])
  func refusesRotation(length: Int32) throws {
    let values = try Tensor([Float](repeating: 0, count: 6), shape: [1, 6])
    #expect(throws: RuntimeError.self) { try run("aeq.hadamard_rotation", [values], ["hadamard_size": .int(length)]) }
  }
}
