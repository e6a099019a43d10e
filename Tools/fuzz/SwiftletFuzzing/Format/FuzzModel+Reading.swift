package import SwiftletBase
import SwiftletFlatBuffers
import SwiftletSchema
import SwiftletTestSupport

extension FuzzModel {
  private static let code = FlatSchema([0: .byte, 1: .string, 2: .int, 3: .int])
  private static let tensor = FlatSchema([
    0: .ints, 1: .byte, 2: .uint, 3: .string, 4: .table(.quantization), 5: .bool, 6: .table(.sparsity), 7: .ints,
    8: .bool,
  ])
  private static let operation: FlatSchema = {
    func union(_ base: Int) -> [Int: FlatSchema] {
      Dictionary(uniqueKeysWithValues: (1...126).map { ($0, FlatSchema.options(tag: base + $0)) })
    }
    return FlatSchema([
      0: .uint, 1: .ints, 2: .ints, 3: .byte, 4: .union(tag: 3, union(0)), 5: .bytes, 7: .bools, 8: .ints, 11: .byte,
      12: .union(tag: 11, union(OptionsTable.secondUnionBase)),
    ])
  }()
  private static let entry = FlatSchema([0: .string, 1: .uint])
  private static let model = FlatSchema([
    1: .tables(code),
    2: .tables(FlatSchema([0: .tables(tensor), 1: .ints, 2: .ints, 3: .tables(operation), 4: .string])),
    4: .tables(FlatSchema([0: .bytes])),
    6: .tables(entry),
    7: .tables(FlatSchema([0: .tables(entry), 1: .tables(entry), 2: .string, 4: .uint])),
  ])
  /// The limits; larger models take too long to parse repeatedly.
  private static let limits = FlatBufferLimits(depth: 16, tables: 20_000, elements: 1 << 20)

  /// Creates a model from the readable parts of a file, or `nil` if nothing is readable.
  package init?(reading bytes: ByteRegion) {
    var budget = FlatBufferBudget(limits: Self.limits, byteCount: bytes.count)
    guard let root = try? FlatTable(rootOf: bytes, identifier: nil, budget: &budget) else { return nil }
    let values = Self.model.read(root, budget: &budget)
    codes = values[1].tables.map(Code.init)
    graphs = values[2].tables.map(Graph.init)
    buffers = values[4].tables.map { $0[0].bytes }
    metadata = values[6].tables.map { Metadata(name: $0[0].text ?? "", buffer: $0[1].unsigned) }
    signatures = values[7].tables.map(Signature.init)
    guard !graphs.isEmpty else { return nil }
  }
}

extension FuzzModel.Code {
  fileprivate init(_ fields: [Int: FlatValue]) {
    self.init(
      builtin: max(fields[0].number, fields[3].number), custom: fields[1].text,
      version: fields[2] == nil ? 1 : fields[2].number)
  }
}

extension FuzzModel.Graph {
  fileprivate init(_ fields: [Int: FlatValue]) {
    name = fields[4].text
    tensors = fields[0].tables.map(FuzzModel.Tensor.init)
    inputs = fields[1].numbers ?? []
    outputs = fields[2].numbers ?? []
    operators = fields[3].tables.map(FuzzModel.Operator.init)
  }
}

extension FuzzModel.Tensor {
  fileprivate init(_ fields: [Int: FlatValue]) {
    shape = fields[0].numbers
    type = Int8(truncatingIfNeeded: fields[1].number)
    buffer = fields[2].unsigned
    name = fields[3].text
    if case .table(let table)? = fields[4] { quantization = table }
    if case .table(let table)? = fields[6] { sparsity = table }
    isVariable = fields[5].number != 0
    shapeSignature = fields[7].numbers
    hasRank = fields[8].number != 0
  }
}

extension FuzzModel.Operator {
  fileprivate init(_ fields: [Int: FlatValue]) {
    code = fields[0].unsigned
    inputs = fields[1].numbers ?? []
    outputs = fields[2].numbers ?? []
    customOptions = fields[5].bytes ?? []
    if case .bools(let flags)? = fields[7] { mutatingVariableInputs = flags }
    intermediates = fields[8].numbers ?? []
    if fields[11].number != 0 {
      options.tag = OptionsTable.secondUnionBase + Int(fields[11].number)
      if case .table(let table)? = fields[12] { options.fields = table }
    } else {
      options.tag = Int(fields[3].number)
      if case .table(let table)? = fields[4] { options.fields = table }
    }
  }
}

extension FuzzModel.Signature {
  fileprivate init(_ fields: [Int: FlatValue]) {
    func entries(_ field: Int) -> [Entry] {
      fields[field].tables.map { Entry(name: $0[0].text ?? "", tensor: $0[1].unsigned) }
    }
    key = fields[2].text
    subgraph = fields[4].unsigned
    inputs = entries(0)
    outputs = entries(1)
  }
}

// MARK: - Typed values

extension Optional<FlatValue> {
  fileprivate var tables: [[Int: FlatValue]] { if case .tables(let tables)? = self { tables } else { [] } }
  fileprivate var text: String? { if case .string(let text)? = self { text } else { nil } }
  fileprivate var bytes: [UInt8]? { if case .bytes(let bytes)? = self { bytes } else { nil } }
  fileprivate var numbers: [Int32]? { if case .ints(let numbers)? = self { numbers } else { nil } }
  fileprivate var unsigned: UInt32 { if case .uint(let number)? = self { number } else { 0 } }
  fileprivate var number: Int32 {
    switch self {
    case .bool(let flag)?: flag ? 1 : 0
    case .byte(let number)?: Int32(number)
    case .int(let number)?: number
    default: 0
    }
  }
}
