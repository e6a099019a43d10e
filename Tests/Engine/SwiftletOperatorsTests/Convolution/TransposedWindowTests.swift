import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Phases of transposed convolutions")
struct TransposedWindowTests {
  private typealias Axis = TransposedWindow.Axis

  /// Returns the elements that read an input from some position of the phase, by exhaustive search.
  private func tried(_ axis: Axis, _ phase: Axis.Phase) -> [Int] {
    (0..<axis.windowSize).filter { element in
      let distance = phase.first + axis.padding - element * axis.dilation
      guard distance % axis.stride == 0 else { return false }
      return (0..<phase.count).contains { (0..<axis.inputSize).contains(distance / axis.stride + $0) }
    }
  }

  @Test("contain the filter elements that overlap the input")
  func haveElements() {
    for stride in 1...4 {
      for dilation in 1...4 {
        for (input, output, window, padding) in [(3, 7, 4, 0), (1, 9, 6, 2), (4, 5, 9, 5), (2, 3, 1, 0), (5, 2, 3, 1)] {
          let axis = Axis(
            inputSize: input, outputSize: output, windowSize: window, stride: stride, dilation: dilation,
            padding: padding)
          for first in 0..<axis.phaseCount {
            let phase = axis.phase(first)
            #expect(phase.elements == tried(axis, phase))
            #expect(phase.inputs == phase.elements.map { (first + padding - $0 * dilation) / stride })
          }
        }
      }
    }
  }

  @Test("do not visit every element of a large window", .timeLimit(.minutes(30)))
  func areFound() {
    let largest = Int(Int32.max)
    for dilation in [1, 3, 4096, largest] {
      let axis = Axis(
        inputSize: 3, outputSize: 1 << 13, windowSize: largest, stride: 4096, dilation: dilation, padding: largest / 2)
      for first in 0..<axis.phaseCount {
        let phase = axis.phase(first)
        #expect(phase.elements.count <= axis.inputSize + phase.count)
      }
    }
  }
}
