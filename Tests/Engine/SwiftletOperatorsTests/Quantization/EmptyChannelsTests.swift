import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Channels without elements")
struct EmptyChannelsTests {
  @Test("take no time, however many there are", arguments: [true, false])
  func skipsEmptyLines(quantizes: Bool) throws {
    // An operator on a variable is prepared even if the variable has no elements.
    var graph = TestGraph()
    let shape = [1 << 28, 2, 0]
    let data = graph.variable(quantizes ? .float32 : .int8, shape)
    let result = graph.output(quantizes ? .int8 : .float32, shape)
    graph.quantize(quantizes ? result : data, QuantizationParameters(scales: [1, 2], zeroPoints: [0, 0], axis: 1))
    graph.add(quantizes ? .quantize : .dequantize, [data], [result])
    #expect(try CompiledModel(try graph.model()).program.steps.isEmpty)
  }
}
