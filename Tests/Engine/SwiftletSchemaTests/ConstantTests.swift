import SwiftletBase
import SwiftletFlatBuffers
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("Constants")
struct ConstantTests {
  private func model(type: Int8, shape: [Int32], data: [UInt8]) -> RawModel {
    var model = RawModel.addition
    model.subgraphs[0].tensors[1] = .init("constant", type: type, shape: shape, data: data)
    return model
  }

  @Test(
    "need at least the number of bytes for their type and shape",
    arguments: [
      (0, [2, 3], 24), (9, [5], 5), (17, [5], 3), (20, [4], 2), (19, [5], 2), (19, [4], 1), (4, [2], 16), (11, [1], 16),
      (0, [], 4), (6, [0, 7], 0),
    ] as [(Int8, [Int32], Int)])
  func sizes(_ type: Int8, _ shape: [Int32], _ byteCount: Int) throws {
    for extra in [0, 1] {
      let data = [UInt8](repeating: 0, count: byteCount + extra)
      #expect(
        try model(type: type, shape: shape, data: data).parsed().subgraphs[0].tensors[1].data?.count == data.count)
    }
    guard byteCount > 0 else { return }
    let short = model(type: type, shape: shape, data: [UInt8](repeating: 0, count: byteCount - 1))
    let error = short.error()
    #expect(error?.code == .invalid)
    #expect(error?.location == "subgraphs[0].tensors[1].buffer")
    #expect(error?.message.contains("needs \(byteCount) bytes") == true)
    #expect(error?.message.contains("has \(byteCount - 1)") == true)
  }

  @Test("are constants if their vector is present but empty, and not if it is absent")
  func emptyIsNotAbsent() throws {
    var description = model(type: 0, shape: [0], data: [])
    #expect(try description.parsed().subgraphs[0].tensors[1].data?.count == 0)
    description = RawModel.addition
    description.subgraphs[0].tensors[1] = .init("computed", fields: [2: .uint(1)])
    description.extraBuffers = [[:]]
    #expect(description.error()?.message.contains("no earlier operator produces it") == true)
  }

  @Test("need no buffer if they have no elements")
  func noElements() throws {
    var description = RawModel.addition
    description.subgraphs[0].tensors[1] = .init("nothing", shape: [0])
    #expect(try description.parsed().subgraphs[0].tensors[1].data?.count == 0)
  }

  @Test("are never in buffer 0, even if it contains bytes")
  func sentinelBuffer() throws {
    var description = RawModel.addition
    description.fields[4] = .tables([[0: .bytes([1, 2, 3, 4])], [0: .bytes([UInt8](0..<16))]])
    let tensors = try description.parsed().subgraphs[0].tensors
    #expect(tensors.map { $0.data?.count } == [nil, 16, nil])
  }

  /// Returns a model whose constant is after the FlatBuffer; offset and size are relative to the FlatBuffer's length.
  private func model(offset: (Int) -> Int64, size: Int64, tail: [UInt8]) -> [UInt8] {
    func bytes(_ offset: Int64) -> [UInt8] {
      var description = RawModel.addition
      description.subgraphs[0].tensors[1] = .init("constant", shape: [4], fields: [2: .uint(1)])
      description.extraBuffers = [[1: .long(offset), 2: .long(size)]]
      return description.bytes
    }
    return bytes(offset(bytes(2).count)) + tail
  }

  @Test("may be located after the FlatBuffer")
  func outsideBuffers() throws {
    let bytes = model(offset: { Int64($0) + 3 }, size: 16, tail: [9, 9, 9] + [UInt8](50..<66))
    let model = try ModelFile(ByteRegion(bytes))
    #expect(model.subgraphs[0].tensors[1].data?.array == [UInt8](50..<66))
  }

  @Test("must not reach past the end of the file")
  func outsideBuffersOutOfRange() {
    for (distance, size) in [(1, 16), (0, 17), (1 << 40, 16), (0, .max), (0, -1)] as [(Int64, Int64)] {
      let bytes = model(offset: { Int64($0) + distance }, size: size, tail: [UInt8](repeating: 0, count: 16))
      let error = #expect(throws: SchemaError.self) { try ModelFile(ByteRegion(bytes)) }
      #expect(error?.code == .truncated)
      #expect(error?.location == "buffers[1]")
    }
    let negative = model(offset: { _ in -1 }, size: 16, tail: [])
    #expect(throws: SchemaError.self) { try ModelFile(ByteRegion(negative)) }
  }

  @Test("have no bytes while their offset is a placeholder", arguments: [0, 1] as [Int64])
  func placeholderOffsets(_ offset: Int64) {
    let bytes = model(offset: { _ in offset }, size: 16, tail: [])
    let error = #expect(throws: SchemaError.self) { try ModelFile(ByteRegion(bytes)) }
    #expect(error?.message.contains("no earlier operator produces it") == true)
  }

  @Test("custom options may be located after the FlatBuffer too")
  func largeCustomOptions() throws {
    func bytes(_ offset: Int64) -> [UInt8] {
      var description = RawModel.addition
      description.operatorCodes = [.init(32, customName: "Mine")]
      description.subgraphs[0].operators[0].fields = [9: .long(offset), 10: .long(3)]
      return description.bytes
    }
    let count = bytes(2).count
    let model = try ModelFile(ByteRegion(bytes(Int64(count)) + [7, 8, 9]))
    #expect(model.subgraphs[0].operators[0].customOptions.array == [7, 8, 9])
    #expect(throws: SchemaError.self) { try ModelFile(ByteRegion(bytes(Int64(count)) + [7, 8])) }
  }

  @Test("start at a multiple of their element size wherever the model starts", arguments: 0..<8)
  func aligned(_ shift: Int) throws {
    let bytes = [UInt8](repeating: 0, count: shift) + RawModel.addition.bytes
    let whole = ByteRegion(bytes)
    let file = try #require(whole.slice(offset: shift, count: bytes.count - shift))
    let data = try #require(try ModelFile(file).subgraphs[0].tensors[1].data)
    #expect(UInt(bitPattern: data.bytes.baseAddress) % 4 == 0)
    #expect(data.array == [UInt8](0..<16))
  }

  @Test("of strings must contain ascending offsets up to their end")
  func strings() throws {
    let fine: [UInt8] = [2, 0, 0, 0, 16, 0, 0, 0, 18, 0, 0, 0, 18, 0, 0, 0, 65, 66]
    let data = try #require(try model(type: 5, shape: [2], data: fine).parsed().subgraphs[0].tensors[1].data)
    let layout = try StringTensorLayout(data)
    #expect((0..<layout.count).map { layout.bytes($0).text } == ["AB", ""])
    for (position, byte) in [(0, 3), (0, 255), (3, 255), (4, 15), (4, 17), (8, 15), (8, 19), (11, 128), (12, 17)] {
      var broken = fine
      broken[position] = UInt8(byte)
      #expect(model(type: 5, shape: [2], data: broken).error()?.code == .invalid, "\(position)")
    }
    #expect(model(type: 5, shape: [2], data: [1, 0]).error()?.code == .invalid)
    #expect(model(type: 5, shape: [3], data: fine).error()?.message.contains("needs 3 strings") == true)
  }
}
