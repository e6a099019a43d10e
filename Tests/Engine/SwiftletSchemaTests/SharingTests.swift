import SwiftletBase
import SwiftletFlatBuffers
import SwiftletTestSupport
import Testing

@testable import SwiftletSchema

/// Checks small files that refer to the same tables, vectors, and texts many times.
@Suite("Shared parts of files")
struct SharingTests {
  @Test("a buffer contains at most as many tables as fit in its bytes")
  func tables() {
    #expect(FlatBufferBudget(byteCount: 1000).remainingTables == 1 << 14)
    #expect(FlatBufferBudget(byteCount: 1 << 20).remainingTables == 1 << 19)
    #expect(FlatBufferBudget(byteCount: 1 << 30).remainingTables == FlatBufferLimits.default.tables)
  }

  @Test("the strings of a buffer are checked once for all tensors that share them")
  func strings() throws {
    let text: [UInt8] = [1, 0, 0, 0, 12, 0, 0, 0, 14, 0, 0, 0, 65, 66]
    var model = RawModel.addition
    model.subgraphs[0].tensors.append(.init("text", type: 5, shape: [1], data: text))
    for _ in 0..<3 { model.subgraphs[0].tensors.append(.init("same", type: 5, shape: [1], fields: [2: .uint(2)])) }
    var reader = ModelReader(file: ByteRegion(model.bytes), limits: .default)
    let tensors = try reader.model().subgraphs[0].tensors
    #expect(tensors.suffix(4).allSatisfy { $0.data?.count == text.count })
    #expect(reader.checkedStrings.map(\.value) == [1])
  }

  @Test("custom options that many operators share have a limit in proportion to the file")
  func customOptions() throws {
    let options = ByteRegion([UInt8](repeating: 0, count: 1 << 16))
    let description = OperatorDescription(
      code: OperatorCode(kind: .custom("Mine"), version: 1), inputs: [], outputs: [], customOptions: options)
    func subgraph(_ count: Int) -> Subgraph {
      Subgraph(tensors: [], inputs: [], outputs: [], operators: Array(repeating: description, count: count))
    }
    try OptionSharing.check([subgraph(8), subgraph(8)], fileByteCount: 1 << 16)
    let error = #expect(throws: SchemaError.self) {
      try OptionSharing.check([subgraph(8), subgraph(9)], fileByteCount: 1 << 16)
    }
    #expect(error?.code == .limitExceeded)
    #expect(error?.location == "subgraphs[1].operators[8] (Mine)")
    try OptionSharing.check([subgraph(8), subgraph(9)], fileByteCount: 1 << 20)
  }

  @Test(
    "vectors and texts in options that many operators share have the same limit",
    arguments: [.reshape, .bucketize, .varHandle] as [BuiltinOperator])
  func vectors(kind: BuiltinOperator) throws {
    let options =
      switch kind {
      case .reshape: ReshapeOptions.with { [$0.newShape([Int](repeating: 1, count: 1000))] }
      case .bucketize: BucketizeOptions.with { [$0.boundaries([Float](repeating: 1, count: 1000))] }
      default: VarHandleOptions.with { [$0.sharedName(String(repeating: "v", count: 1000))] }
      }
    var model = RawModel.addition
    model.operatorCodes = [.init(kind.rawValue)]
    model.subgraphs[0].operators[0].fields = options.operatorFields
    let description = try model.parsed().subgraphs[0].operators[0]
    func subgraph(_ count: Int) -> Subgraph {
      Subgraph(tensors: [], inputs: [], outputs: [], operators: Array(repeating: description, count: count))
    }
    try OptionSharing.check([subgraph(1000)], fileByteCount: 1000)
    #expect(throws: SchemaError.self) { try OptionSharing.check([subgraph(1100)], fileByteCount: 1000) }
  }

  @Test("subgraph calls are limited if operators share a list of branches")
  func calls() throws {
    var model = RawModel.addition
    model.subgraphs.append(model.subgraphs[0])
    model.operatorCodes.append(.init(209))
    model.subgraphs[0].operators[0] = .init(
      1, inputs: [0, 1], outputs: [2],
      fields: StableHLOCaseOptions.with { [$0.branchSubgraphIndices([Int](repeating: 1, count: 1024))] }.operatorFields)
    var subgraphs = try model.parsed().subgraphs
    let description = subgraphs[0].operators[0]
    #expect(try description.calledSubgraphs().count == 1024)
    subgraphs[0].operators = Array(repeating: description, count: 1024)
    _ = try SubgraphCallGraph(subgraphs, depthLimit: 4)
    subgraphs[0].operators.append(description)
    let error = #expect(throws: SchemaError.self) { try SubgraphCallGraph(subgraphs, depthLimit: 4) }
    #expect(error?.code == .limitExceeded)
  }

  @Test("label and calibration files have a limit of lines")
  func lines() throws {
    let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: LabelFile.maximumLines)
    #expect(try LabelFile.lines(ByteRegion(lines), name: "labels.txt").count == LabelFile.maximumLines)
    let labels = #expect(throws: SchemaError.self) { try LabelFile.lines(ByteRegion(lines + [10]), name: "labels.txt") }
    #expect(labels?.code == .limitExceeded)
    let calibration = #expect(throws: SchemaError.self) { try ScoreCalibrationFile(ByteRegion(lines + [10])) }
    #expect(calibration?.code == .limitExceeded)
  }

  @Test("a member is not decompressed beyond its reader's limit")
  func unpacking() throws {
    // A final stored block of four bytes.
    let packed: [UInt8] = [1, 4, 0, 0xFB, 0xFF] + Array("text".utf8)
    let archive = RawArchive([.init("labels.txt", Array("text".utf8), deflated: packed)])
    let files = try #require(try ZIPArchive(endOf: ByteRegion(archive.bytes)))
    #expect(try files.contents(of: "labels.txt", atMost: 4).text == "text")
    let error = #expect(throws: SchemaError.self) { try files.contents(of: "labels.txt", atMost: 3) }
    #expect(error?.code == .limitExceeded)
  }

  @Test("the fields that contain vectors equal those of the described tables")
  func vectorFields() {
    for tag in 0..<OptionsTable.secondUnionBase + 100 {
      let described = OptionSchemas.describedVectors(ofTable: tag).map(\.number)
      #expect(OptionSchemas.vectors(ofTable: tag).map(\.number) == described, "\(tag)")
    }
  }
}
