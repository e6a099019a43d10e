import SwiftletKernels
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Phases of transposed convolutions as one product")
struct TransposedPhasesTests {
  private typealias Axis = TransposedWindow.Axis

  /// A term of an output position: the input position and the filter element.
  private struct Term: Hashable {
    var output: Int
    var input: Int
    var element: Int
  }

  /// Returns the terms inside the input, by definition.
  private func expected(_ axis: Axis) -> Set<Term> {
    var terms: Set<Term> = []
    for input in 0..<axis.inputSize {
      for element in 0..<axis.windowSize {
        let output = input * axis.stride - axis.padding + element * axis.dilation
        if (0..<axis.outputSize).contains(output) { terms.insert(Term(output: output, input: input, element: element)) }
      }
    }
    return terms
  }

  private func terms(_ products: [TransposedPhases], _ axis: Axis) -> [Term] {
    var terms: [Term] = []
    for product in products {
      for position in 0..<product.count {
        for (phase, elements) in product.elements.enumerated() {
          for (input, element) in zip(product.inputs, elements) {
            guard let element, (0..<axis.inputSize).contains(input + position) else { continue }
            let output = product.first + position * axis.stride + phase
            terms.append(Term(output: output, input: input + position, element: element))
          }
        }
      }
    }
    return terms
  }

  @Test("contain every term of every output position once")
  func haveAllTerms() throws {
    var merged = 0
    for stride in 2...5 {
      for dilation in 1...2 {
        for (input, output, window, padding) in [
          (3, 7, 4, 0), (1, 9, 6, 2), (4, 5, 9, 5), (2, 3, 1, 0), (5, 2, 3, 1), (6, 12, 4, 1), (4, 1, 3, 0),
        ] {
          let axis = Axis(
            inputSize: input, outputSize: output, windowSize: window, stride: stride, dilation: dilation,
            padding: padding)
          let phases = (0..<axis.phaseCount).map { axis.phase($0) }
          guard let products = axis.merged(phases, columns: 1, lanes: 16) else { continue }
          merged += 1
          let terms = terms(products, axis)
          #expect(Set(terms) == expected(axis), "\(axis)")
          #expect(Set(terms).count == terms.count)
          let positions = products.flatMap { product in
            (0..<product.count).flatMap { position in
              product.elements.indices.map { product.first + position * stride + $0 }
            }
          }
          #expect(positions.sorted() == Array(0..<output))
        }
      }
    }
    #expect(merged > 20)
  }

  @Test("stay separate if their columns fill vectors, or if there would be many zeros")
  func areLeftAlone() {
    let axis = Axis(inputSize: 8, outputSize: 16, windowSize: 4, stride: 2, padding: 1)
    let phases = (0..<2).map { axis.phase($0) }
    #expect(axis.merged(phases, columns: 1, lanes: 16) != nil)
    #expect(axis.merged(phases, columns: 16, lanes: 16) == nil)
    #expect(axis.merged(phases, columns: 12, lanes: 16) == nil)
    let large = Axis(
      inputSize: 1 << 20, outputSize: 1 << 22, windowSize: 1 << 18, stride: 2, padding: 0)
    #expect(large.merged((0..<2).map { large.phase($0) }, columns: 1, lanes: 16) == nil)
  }

  /// The same convolution in fast numerics, which merges phases and multiplies long taps of few filters by dot products,
  /// and in bit-exact numerics, which doesn't.
  @Test(
    "equal separate phases", arguments: [(16, 8), (4, 2), (2, 2), (7, 3), (3, 4), (9, 2), (13, 4)], [1, 3, 5])
  func giveTheSame(_ shape: (window: Int, stride: Int), _ filters: Int) throws {
    let (window, stride) = shape
    var names: Set<String> = []
    for (same, isBiased) in [(true, true), (false, true), (true, false)] {
      for (excess, channels) in [(0, 5), (1, 5), (0, 100), (1, 100)] {
        let width = 6
        let output = same ? width * stride - min(excess, stride - 1) : (width - 1) * stride + window + excess % stride
        var graph = TestGraph()
        let size = graph.constant([Int32(1), 4, Int32(output), Int32(filters)])
        let data = graph.input(.float32, [1, 2, width, channels])
        let count = filters * 2 * window * channels
        let weights = graph.constant(
          (0..<count).map { Float($0 * 37 % 23) / 8 - 1.25 }, shape: [filters, 2, window, channels])
        let bias = isBiased ? [graph.constant((0..<filters).map { Float($0) + 0.5 })] : []
        let result = graph.output(.float32, [])
        graph.add(
          .transposeConv, [size, weights, data] + bias, [result],
          options: TransposeConvOptions.with {
            [$0.padding(same ? .same : .valid), $0.strideWidth(Int32(stride)), $0.strideHeight(2)]
          }, version: 3)
        let input = try Tensor(
          (0..<2 * width * channels).map { Float($0 * 29 % 31) / 4 - 3 }, shape: [1, 2, width, channels])
        let session = try graph.session(options: RuntimeOptions(numerics: .fast))
        names.insert(String(session.model.implementations[0].implementation.prefix { $0 != "," }))
        let fast = try session.run([input])[0]
        let exact = try graph.session(options: RuntimeOptions(numerics: .bitExact)).run([input])[0]
        // All numbers are multiples of 1/32, so that no sum is rounded.
        #expect(try fast.values(as: Float.self) == exact.values(as: Float.self))
      }
    }
    // Other instruction sets have other costs.
    if window == 13, filters == 1, KernelTable.current.name == "avx2" {
      #expect(names.contains("indirect dot products float32"))
    }
  }
}
