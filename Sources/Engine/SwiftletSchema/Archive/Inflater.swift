import SwiftletBase

/// A reader of the deflate format that unpacks into memory of known size.
///
/// - Source: RFC 1951.
struct Inflater {
  private let input: ByteRegion
  private let output: AlignedBytes
  private var inputPosition = 0
  private var outputPosition = 0
  private var bits: UInt64 = 0
  private var bitCount = 0
  private var steps = StepCounter()
  /// The output position of the next deadline check.
  private var nextLook = 0
  private static let interval = 1 << 16

  /// Returns the unpacked bytes of `input`.
  ///
  /// - Parameters:
  ///   - byteCount: The size stated by the archive, limited by the caller. The data must unpack to exactly this size.
  /// - Throws: `SchemaError` if the data is damaged or unpacks to another size, or after the deadline of the call.
  static func inflate(_ input: ByteRegion, byteCount: Int) throws(SchemaError) -> ByteRegion {
    guard let output = AlignedBytes(zeroedIfAvailable: byteCount) else {
      throw SchemaError(.limitExceeded, "cannot allocate the \(byteCount) bytes of its decompressed contents")
    }
    var inflater = Inflater(input: input, output: output)
    try inflater.run()
    return ByteRegion(owner: inflater.output, bytes: UnsafeRawBufferPointer(inflater.output.bytes))
  }

  private init(input: ByteRegion, output: AlignedBytes) {
    self.input = input
    self.output = output
  }

  private mutating func run() throws(SchemaError) {
    var isLast = false
    while !isLast {
      // A block may be empty.
      try steps.step()
      isLast = try take(1) == 1
      switch try take(2) {
      case 0: try copyStoredBlock()
      case 1:
        guard let literals = Self.fixedLiterals, let distances = Self.fixedDistances else {
          throw damaged("it has no fixed codes")
        }
        try decodeBlock(literals: literals, distances: distances)
      case 2:
        let (literals, distances) = try readCodes()
        try decodeBlock(literals: literals, distances: distances)
      default: throw damaged("block type 3 does not exist")
      }
    }
    guard outputPosition == output.bytes.count else {
      throw damaged("it unpacks to \(outputPosition) bytes, but the archive states \(output.bytes.count)")
    }
  }

  private func damaged(_ what: String) -> SchemaError {
    SchemaError(.malformed, "the compressed data is damaged: \(what)", byteOffset: inputPosition)
  }

  // MARK: Bits

  /// Makes at least 48 bits available, or all remaining bits if there are fewer.
  private mutating func refill() {
    while bitCount <= 48, let byte = input.byte(at: inputPosition) {
      bits |= UInt64(byte) << UInt64(bitCount)
      bitCount += 8
      inputPosition += 1
    }
  }

  private mutating func take(_ count: Int) throws(SchemaError) -> Int {
    if bitCount < count { refill() }
    guard bitCount >= count else { throw damaged("it ends in the middle of a block") }
    let value = Int(bits & ((1 << UInt64(count)) - 1))
    bits >>= UInt64(count)
    bitCount -= count
    return value
  }

  private mutating func takeSymbol(_ code: HuffmanCode) throws(SchemaError) -> Int {
    if bitCount < HuffmanCode.maximumCode { refill() }
    guard let (symbol, length) = code.symbol(startingWith: bits) else { throw damaged("a code has no symbol") }
    guard length <= bitCount else { throw damaged("it ends in the middle of a block") }
    bits >>= UInt64(length)
    bitCount -= length
    return symbol
  }

  // MARK: Blocks

  private mutating func copyStoredBlock() throws(SchemaError) {
    _ = try take(bitCount % 8)
    let count = try take(16)
    let complement = try take(16)
    guard count == ~complement & 0xFFFF else { throw damaged("the length of a stored block contradicts itself") }
    // Return the whole bytes that were read ahead to the input.
    inputPosition -= bitCount / 8
    bits = 0
    bitCount = 0
    guard let source = input.slice(offset: inputPosition, count: count) else {
      throw damaged("it ends in the middle of a block")
    }
    try checkRoom(count)
    UnsafeMutableRawBufferPointer(rebasing: output.bytes[outputPosition..<(outputPosition + count)])
      .copyMemory(from: source.bytes)
    inputPosition += count
    outputPosition += count
  }

  private func checkRoom(_ count: Int) throws(SchemaError) {
    guard count <= output.bytes.count - outputPosition else {
      throw damaged("it unpacks to more than the \(output.bytes.count) bytes that the archive states")
    }
  }

  private mutating func lookIfDue() throws(SchemaError) {
    guard outputPosition >= nextLook else { return }
    nextLook = outputPosition + Self.interval
    try steps.step(Self.interval / 8)
  }

  private mutating func decodeBlock(literals: HuffmanCode, distances: HuffmanCode) throws(SchemaError) {
    while true {
      let symbol = try takeSymbol(literals)
      if symbol < 256 {
        try checkRoom(1)
        try lookIfDue()
        output.bytes[outputPosition] = UInt8(symbol)
        outputPosition += 1
        continue
      }
      if symbol == 256 { return }
      let lengthIndex = symbol - 257
      guard lengthIndex < Self.lengths.count else { throw damaged("length symbol \(symbol) does not exist") }
      let length = Self.lengths[lengthIndex].base + (try take(Self.lengths[lengthIndex].extraBits))
      let distanceIndex = try takeSymbol(distances)
      guard distanceIndex < Self.distances.count else {
        throw damaged("distance symbol \(distanceIndex) does not exist")
      }
      let distance = Self.distances[distanceIndex].base + (try take(Self.distances[distanceIndex].extraBits))
      guard distance <= outputPosition else { throw damaged("a reference leads before the start of the data") }
      try checkRoom(length)
      try lookIfDue()
      // The ranges may overlap, so that this loop reads bytes that it has just written.
      for _ in 0..<length {
        output.bytes[outputPosition] = output.bytes[outputPosition - distance]
        outputPosition += 1
      }
    }
  }

  // MARK: Codes

  private struct Extended {
    let base: Int
    let extraBits: Int
  }

  /// Match lengths, by symbol - 257. Four symbols share each number of extra bits, except at both ends.
  private static let lengths: [Extended] = {
    var lengths: [Extended] = []
    var base = 3
    for index in 0..<28 {
      let extraBits = index < 8 ? 0 : index / 4 - 1
      lengths.append(Extended(base: base, extraBits: extraBits))
      base += 1 << extraBits
    }
    lengths.append(Extended(base: 258, extraBits: 0))
    return lengths
  }()

  private static let distances: [Extended] = {
    var distances: [Extended] = []
    var base = 1
    for index in 0..<30 {
      let extraBits = index < 4 ? 0 : index / 2 - 1
      distances.append(Extended(base: base, extraBits: extraBits))
      base += 1 << extraBits
    }
    return distances
  }()

  private static func fixedCode(_ runs: [(count: Int, length: UInt8)]) -> HuffmanCode? {
    HuffmanCode(lengths: runs.flatMap { [UInt8](repeating: $0.length, count: $0.count) })
  }

  private static let fixedLiterals = fixedCode([(144, 8), (112, 9), (24, 7), (8, 8)])
  private static let fixedDistances = fixedCode([(32, 5)])

  /// The storage order of the lengths of the code length code.
  private static let lengthCodeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private mutating func readCodes() throws(SchemaError) -> (literals: HuffmanCode, distances: HuffmanCode) {
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let lengthCodeCount = try take(4) + 4
    guard literalCount <= 286, distanceCount <= 30 else {
      throw damaged("a block has \(literalCount) literal and \(distanceCount) distance codes; 286 and 30 exist")
    }
    var lengthCodeLengths = [UInt8](repeating: 0, count: 19)
    for position in Self.lengthCodeOrder.prefix(lengthCodeCount) {
      lengthCodeLengths[position] = UInt8(try take(3))
    }
    guard let lengthCode = HuffmanCode(lengths: lengthCodeLengths) else {
      throw damaged("the code of code lengths is not a code")
    }
    let lengths = try readCodeLengths(lengthCode, count: literalCount + distanceCount)
    guard lengths[256] > 0, let literals = HuffmanCode(lengths: Array(lengths.prefix(literalCount))),
      let distances = HuffmanCode(lengths: Array(lengths.dropFirst(literalCount)))
    else { throw damaged("the codes of a block are not codes") }
    return (literals, distances)
  }

  private mutating func readCodeLengths(_ code: HuffmanCode, count: Int) throws(SchemaError) -> [UInt8] {
    var lengths: [UInt8] = []
    lengths.reserveCapacity(count)
    while lengths.count < count {
      let symbol = try takeSymbol(code)
      let run: (value: UInt8, count: Int)
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw damaged("a repetition has nothing to repeat") }
        run = (last, 3 + (try take(2)))
      case 17: run = (0, 3 + (try take(3)))
      case 18: run = (0, 11 + (try take(7)))
      default: run = (UInt8(symbol), 1)
      }
      guard run.count <= count - lengths.count else { throw damaged("a repetition of code lengths is too long") }
      lengths.append(contentsOf: repeatElement(run.value, count: run.count))
    }
    return lengths
  }
}
