import SwiftletBase
import SwiftletFlatBuffers

extension ModelReader {
  mutating func tensor(_ table: FlatTable, tensorCount: Int) throws(SchemaError) -> TensorDescription {
    let name = try string(TensorField.name, of: table) ?? ""
    let rawType = try integer(TensorField.type, of: table, default: Int8(0))
    guard let type = ElementType(rawValue: rawType) else {
      throw SchemaError(
        .unsupported,
        "tensor \"\(name.excerpt)\" has element type \(rawType), which is unknown; it may need a newer version",
        location: TensorField.type.name)
    }
    let shape = try ints(TensorField.shape, of: table) ?? []
    let elementCount = try Self.elementCount(shape, rankLimit: limits.rank, tensor: name)
    let isVariable = try bool(TensorField.isVariable, of: table)
    let sparsity = try sparsity(of: table)
    let bufferIndex = try uint(TensorField.buffer, of: table)
    let data = try constantBytes(table, bufferIndex: bufferIndex, tensor: name)
    if let data, isVariable {
      throw SchemaError(
        .invalid, "tensor \"\(name.excerpt)\" is a variable and must not have constant data, got \(data.count) bytes")
    }
    let storedElements =
      try sparsity.map { (sparsity) throws(SchemaError) in
        try locating(TensorField.sparsity.name) { () throws(SchemaError) in
          try sparsity.checkedStoredElementCount(denseShape: shape)
        }
      } ?? elementCount
    if let data { try checkSize(of: data, type: type, storedElements: storedElements, tensor: name) }
    let alignedData = try data.map { (data) throws(SchemaError) in
      try aligned(data, for: type, bufferIndex: bufferIndex)
    }
    return TensorDescription(
      name: name, type: type, shape: shape,
      shapeSignature: try shapeSignature(table, shape: shape, tensor: name),
      hasRank: try bool(TensorField.hasRank, of: table),
      data: alignedData,
      quantization: try quantization(of: table, type: type, shape: shape, tensorCount: tensorCount),
      sparsity: sparsity, isVariable: isVariable, bufferIndex: bufferIndex)
  }

  /// Returns the number of elements of a tensor, after checking its dimensions.
  private static func elementCount(_ shape: [Int], rankLimit: Int, tensor: String) throws(SchemaError) -> Int {
    guard shape.count <= rankLimit else {
      throw SchemaError(
        .limitExceeded, "tensor \"\(tensor.excerpt)\" has \(shape.count) dimensions; the limit is \(rankLimit)",
        location: TensorField.shape.name)
    }
    var product = 1
    var isEmpty = false
    for dimension in shape {
      guard dimension >= 0 else {
        throw SchemaError(
          .invalid, "the dimensions of tensor \"\(tensor.excerpt)\" must not be negative, got \(shape)",
          location: TensorField.shape.name)
      }
      if dimension == 0 {
        isEmpty = true
        continue
      }
      let (next, overflow) = product.multipliedReportingOverflow(by: dimension)
      guard !overflow, next <= Int(Int32.max) else {
        throw SchemaError(
          .limitExceeded, "tensor \"\(tensor.excerpt)\" of shape \(shape) has more than 2^31 - 1 elements",
          location: TensorField.shape.name)
      }
      product = next
    }
    return isEmpty ? 0 : product
  }

  private mutating func shapeSignature(
    _ table: FlatTable, shape: [Int], tensor: String
  ) throws(SchemaError) -> [Int]? {
    // Some writers store an empty signature with a tensor of any rank. It has no meaning.
    guard let signature = try ints(TensorField.shapeSignature, of: table), !signature.isEmpty else { return nil }
    guard signature.count == shape.count, signature.allSatisfy({ $0 >= -1 }) else {
      throw SchemaError(
        .invalid,
        """
        the shape signature of tensor "\(tensor.excerpt)" must have one entry of -1 or more per dimension of \(shape), got \
        \(signature)
        """,
        location: TensorField.shapeSignature.name)
    }
    return signature
  }

  // MARK: Constants

  /// Returns the bytes that the tensor's buffer holds, or `nil` if the tensor is computed.
  private mutating func constantBytes(
    _ table: FlatTable, bufferIndex: Int, tensor: String
  ) throws(SchemaError) -> ByteRegion? {
    guard buffers.indices.contains(bufferIndex) else {
      throw SchemaError(
        .invalid,
        "tensor \"\(tensor.excerpt)\" refers to buffer \(bufferIndex); the model has \(buffers.count) buffers",
        location: TensorField.buffer.name)
    }
    let data = bufferIndex == 0 ? nil : buffers[bufferIndex]
    let external = try uint(TensorField.externalBuffer, of: table)
    guard external == 0 else {
      guard data == nil else {
        throw SchemaError(
          .invalid,
          "tensor \"\(tensor.excerpt)\" has its bytes both in buffer \(bufferIndex) and in external buffer \(external)",
          location: TensorField.externalBuffer.name)
      }
      let place = externalBufferNames[external].map { " (\"\($0.excerpt)\")" } ?? ""
      throw SchemaError(
        .unsupported,
        """
        the bytes of tensor "\(tensor.excerpt)" live in another file\(place), which is not supported; export the model with \
        its weights inside
        """,
        location: TensorField.externalBuffer.name)
    }
    return data
  }

  /// Returns the bytes of a constant, copied if their address isn't a multiple of the element size.
  private mutating func aligned(
    _ data: ByteRegion, for type: ElementType, bufferIndex: Int
  ) throws(SchemaError) -> ByteRegion {
    let alignment = UInt(min(type.byteWidth ?? 1, 8))
    guard UInt(bitPattern: data.bytes.baseAddress) % alignment != 0 else { return data }
    if let copy = alignedBuffers[bufferIndex] { return copy }
    guard data.count <= remainingAlignedBytes else {
      throw SchemaError(
        .limitExceeded,
        "misaligned constants that share bytes would have to be copied, which takes more bytes than the file has",
        location: TensorField.buffer.name)
    }
    remainingAlignedBytes -= data.count
    let storage = AlignedBytes(copying: data.bytes)
    let copy = ByteRegion(owner: storage, bytes: UnsafeRawBufferPointer(storage.bytes))
    alignedBuffers[bufferIndex] = copy
    return copy
  }

  /// Returns the number of strings in a payload. Each payload is checked once.
  private mutating func stringCount(_ data: ByteRegion) throws(SchemaError) -> Int {
    if let known = checkedStrings[ByteRange(data)] { return known }
    let count = try locating("buffer") { () throws(SchemaError) in try StringTensorLayout(data).count }
    checkedStrings[ByteRange(data)] = count
    return count
  }

  /// Checks that a constant has at least as many bytes as its type and element count require.
  private mutating func checkSize(
    of data: ByteRegion, type: ElementType, storedElements: Int, tensor: String
  ) throws(SchemaError) {
    if type == .string {
      let count = try stringCount(data)
      guard count >= storedElements else {
        throw SchemaError(
          .invalid, "constant \"\(tensor.excerpt)\" needs \(storedElements) strings, its buffer has \(count)",
          location: TensorField.buffer.name)
      }
      return
    }
    guard type != .variant, type != .resource else { return }
    guard let required = type.byteCount(elements: storedElements), data.count >= required else {
      throw SchemaError(
        .invalid,
        """
        constant "\(tensor.excerpt)" of type \(type.name) needs \
        \(type.byteCount(elements: storedElements).map(String.init) ?? "too many") bytes for \(storedElements) \
        elements, its buffer has \(data.count)
        """,
        location: TensorField.buffer.name)
    }
  }
}
