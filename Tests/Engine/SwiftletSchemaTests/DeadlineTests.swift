import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletSchema

/// Checks that reading ends at the deadline of its call.
@Suite("Deadlines of reading")
struct DeadlineTests {
  private func late<Value>(_ body: () throws -> Value) -> SchemaError? {
    CallContext(timeout: .zero - .seconds(1)).carry { thrownError(body) }
  }

  @Test("short label files are read, and long ones end at the deadline", arguments: [4095, 4096])
  func labels(lineCount: Int) throws {
    let file = ByteRegion([UInt8](repeating: UInt8(ascii: "\n"), count: lineCount))
    let error = late { try LabelFile.lines(file, name: "labels.txt") }
    #expect(error?.code == (lineCount < 4096 ? nil : .deadlineExceeded))
    #expect(try LabelFile.lines(file, name: "labels.txt").count == lineCount)
  }

  @Test("score calibrations end at the deadline too", arguments: [254, 255])
  func calibrations(lineCount: Int) throws {
    // The part after the last line feed is a line.
    let file = ByteRegion([UInt8](repeating: UInt8(ascii: "\n"), count: lineCount))
    #expect(late { try ScoreCalibrationFile(file) }?.code == (lineCount < 255 ? nil : .deadlineExceeded))
    #expect(try ScoreCalibrationFile(file).entries.count == lineCount + 1)
  }

  @Test("decompression and checks end at the deadline")
  func archives() throws {
    let bytes = [UInt8](repeating: 7, count: 1 << 17)
    #expect(late { try CRC32.checksum(of: ByteRegion(bytes)) }?.code == .deadlineExceeded)
    #expect(late { try CRC32.checksum(of: .empty) } == nil)
    // Four zeros, in a block with fixed codes.
    let packed = ByteRegion([0x63, 0x60, 0x60, 0x60, 0x00, 0x00])
    #expect(try Inflater.inflate(packed, byteCount: 4).array == [0, 0, 0, 0])
    let error = late { try Inflater.inflate(packed, byteCount: 4) }
    #expect(error?.code == .deadlineExceeded)
  }

  @Test("metadata of many tables ends at the deadline")
  func metadata() throws {
    func bytes(_ count: Int) -> ByteRegion {
      let tensors = [[Int: FlatValue]](repeating: [0: .string("t")], count: count)
      return ByteRegion(FlatValue.file(root: [3: .tables([[3: .tables(tensors)]])], identifier: "M001"))
    }
    func read(_ bytes: ByteRegion) throws -> ModelMetadata? {
      let model = TestGraph.bytes([SmallGraphs.negation], metadata: Array(bytes.bytes))
      return try ModelFile(ByteRegion(model)).modelMetadata()
    }
    let many = bytes(5000)
    #expect(try read(many)?.outputs.count == 5000)
    let file = try ModelFile(ByteRegion(TestGraph.bytes([SmallGraphs.negation], metadata: Array(many.bytes))))
    let error = late { try file.modelMetadata() }
    #expect(error?.code == .deadlineExceeded)
    #expect(error?.message == CallEnded.deadlineExceeded.description)
  }

  @Test("cancelled reading throws a cancellation error")
  func cancelled() {
    let context = CallContext()
    context.cancel()
    let file = ByteRegion([UInt8](repeating: UInt8(ascii: "\n"), count: 5000))
    let error: SchemaError? = context.carry { thrownError { try LabelFile.lines(file, name: "labels.txt") } }
    #expect(error?.code == .cancelled)
  }
}

private enum SmallGraphs {
  static let negation: TestGraph = {
    var graph = TestGraph()
    graph.add(.neg, [graph.input(.float32, [1])], [graph.output(.float32, [1])])
    return graph
  }()
}
