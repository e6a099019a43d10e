import SwiftletSchema
import Testing

@testable import SwiftletEngine

/// A division into blocks of 2×3, a convolution, and the assembly of its results.
private let pattern: PassGraph = {
  var graph = PassGraph()
  let input = graph.value(), weights = graph.value(), divided = graph.value(), convolved = graph.value()
  let result = graph.value()
  graph.add("divide", StubBlocks(blocks: blocks(.division, (2, 3, 4, 5))), [input], [divided])
  graph.add("conv", StubConvolution(), [divided, weights], [convolved])
  graph.add("assemble", StubBlocks(blocks: blocks(.assembly, (0, 1, 0, 5))), [convolved], [result])
  graph.kept = [4]
  return graph
}()

private func blocks(
  _ role: ImageBlocks.Role, height: Int = 2, width: Int = 3, _ margins: (Int, Int, Int, Int)
) -> ImageBlocks {
  ImageBlocks(
    role, height: height, width: width,
    margins: ExplicitPadding(top: margins.0, bottom: margins.1, left: margins.2, right: margins.3))
}

@Suite("Fusion of blocks of images into a dilated convolution")
struct DilationFusionTests {
  @Test("the convolution is dilated by the blocks, and pads what isn't cropped")
  func fusion() throws {
    let nodes = try pattern.after(DilationFusion.run)
    #expect(nodes.map(\.location.operatorName) == ["conv"])
    #expect(nodes[0].inputs == [0, 1] && nodes[0].outputs == [4])
    let convolution = try #require(nodes[0].operation as? StubConvolution)
    #expect(convolution.dilation == [2, 3])
    #expect(convolution.paddings == [ExplicitPadding(top: 2, bottom: 2, left: 4, right: 0)])
  }

  static let misses = [
    NearMiss("other blocks behind") {
      $0.nodes[2].operation = StubBlocks(blocks: blocks(.assembly, height: 3, (0, 0, 0, 0)))
    },
    NearMiss("other columns behind") {
      $0.nodes[2].operation = StubBlocks(blocks: blocks(.assembly, width: 2, (0, 0, 0, 0)))
    },
    NearMiss("more cropped than padded at the top") {
      $0.nodes[2].operation = StubBlocks(blocks: blocks(.assembly, (3, 0, 0, 0)))
    },
    NearMiss("more cropped than padded at the bottom") {
      $0.nodes[2].operation = StubBlocks(blocks: blocks(.assembly, (0, 4, 0, 0)))
    },
    NearMiss("more cropped than padded on the left") {
      $0.nodes[2].operation = StubBlocks(blocks: blocks(.assembly, (0, 0, 5, 0)))
    },
    NearMiss("more cropped than padded on the right") {
      $0.nodes[2].operation = StubBlocks(blocks: blocks(.assembly, (0, 0, 0, 6)))
    },
    NearMiss("a second division") { $0.nodes[2].operation = StubBlocks(blocks: blocks(.division, (0, 0, 0, 0))) },
    NearMiss("an assembly in front") { $0.nodes[0].operation = StubBlocks(blocks: blocks(.assembly, (2, 3, 4, 5))) },
    NearMiss("blocks of other axes in front") { $0.nodes[0].operation = StubBlocks(blocks: nil) },
    NearMiss("blocks of other axes behind") { $0.nodes[2].operation = StubBlocks(blocks: nil) },
    NearMiss("another operator in front") { $0.nodes[0].operation = StubPlain() },
    NearMiss("another operator behind") { $0.nodes[2].operation = StubPlain() },
    NearMiss("another operator between") { $0.nodes[1].operation = StubHost() },
    NearMiss("a convolution that can't be dilated") { $0.nodes[1].operation = StubConvolution(canFold: false) },
    NearMiss("a convolution of two values") { $0.nodes[1].outputs = [3, $0.value()] },
    NearMiss("a convolution without weights") { $0.nodes[1].inputs = [2] },
    NearMiss("images that are quantized in the run") { $0.values.specs[1].elementType = .int8 },
    NearMiss("another reader of the blocks") { $0.add("other", StubPlain(), [2], [$0.value()]) },
    NearMiss("another reader of the results") { $0.add("other", StubPlain(), [3], [$0.value()]) },
    NearMiss("kept blocks") { $0.kept = [2, 4] },
    NearMiss("kept results") { $0.kept = [3, 4] },
    NearMiss("no producer of the blocks") { $0.nodes[0].outputs = [0] },
    NearMiss("no producer of the results") { $0.nodes[1].outputs = [0] },
    NearMiss("a variable that is divided") { $0.makeVariable(0) },
    NearMiss("an empty result") { $0.values.specs[4].shape = [0, 3] },
    NearMiss("an input that is left out") { $0.nodes[1].inputs = [nil, 1] },
    NearMiss("no results to assemble") { $0.nodes[2].inputs = [nil] },
  ]

  @Test("the nodes stay for", arguments: misses)
  func stay(_ miss: NearMiss) throws {
    let graph = miss.changing(pattern)
    #expect(try graph.names(after: DilationFusion.run) == graph.nodes.map { $0.location.operatorName })
  }

  @Test("integer images with integer weights are dilated too")
  func integers() throws {
    var graph = pattern
    for value in [0, 1, 2, 3, 4] { graph.values.specs[value].elementType = .int8 }
    #expect(try graph.names(after: DilationFusion.run) == ["conv"])
  }
}
