#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  import SwiftletKernels

  // Entry points. Table/ImageKernels.swift documents every argument. `row` points to a `SampledRow`, `line` to a
  // `MaskLine`, and `shares` to `AreaShare`s.

  /// Samples the bytes of a tensor row from an image.
  @_cdecl("swiftlet_image_sample_row")
  public func imageSampleRowEntryPoint(
    _ row: UnsafeRawPointer, _ image: UnsafeRawPointer, _ bytes: UnsafeMutableRawPointer
  ) {
    RowSampling(row.loadUnaligned(as: SampledRow.self), image: image, bytes: bytes).run()
  }

  /// Converts sampled bytes to bytes.
  @_cdecl("swiftlet_image_expand_row_8")
  public func imageExpandRowBytesEntryPoint(
    _ bytes: UnsafeRawPointer, _ sampledBytes: Int, _ channels: Int, _ width: Int, _ table: UnsafePointer<UInt8>,
    _ output: UnsafeMutablePointer<UInt8>
  ) {
    RowExpansion(bytes: bytes, sampledBytes: sampledBytes, channels: channels, width: width, target: output)
      .run(table)
  }

  /// Converts sampled bytes to floats.
  @_cdecl("swiftlet_image_expand_row_f32")
  public func imageExpandRowFloat32EntryPoint(
    _ bytes: UnsafeRawPointer, _ sampledBytes: Int, _ channels: Int, _ width: Int, _ table: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
  ) {
    RowExpansion(bytes: bytes, sampledBytes: sampledBytes, channels: channels, width: width, target: output)
      .run(table)
  }

  /// Interpolates the mask of a region along a row of an image.
  @_cdecl("swiftlet_image_mask_row")
  public func imageMaskRowEntryPoint(
    _ line: UnsafeRawPointer, _ cells: UnsafeRawPointer, _ count: Int, _ output: UnsafeMutablePointer<Float>
  ) {
    MaskSampling(line: line.loadUnaligned(as: MaskLine.self), cells: cells).run(count, into: output)
  }

  /// Averages the columns of a row of pixels.
  @_cdecl("swiftlet_image_average_columns")
  public func imageAverageColumnsEntryPoint(
    _ shares: UnsafeRawPointer, _ count: Int, _ pixelBytes: Int, _ row: UnsafeRawPointer,
    _ line: UnsafeMutablePointer<Float>
  ) {
    averageColumns(
      shares.assumingMemoryBound(to: AreaShare.self), count: count, pixelBytes: pixelBytes, row: row, into: line)
  }

  /// Adds a share of a line to sums.
  @_cdecl("swiftlet_image_add_share")
  public func imageAddShareEntryPoint(
    _ line: UnsafePointer<Float>, _ share: Float, _ count: Int, _ sums: UnsafeMutablePointer<Float>
  ) {
    addShare(of: line, share, count: count, to: sums)
  }

  /// Rounds sums to bytes.
  @_cdecl("swiftlet_image_round_sums")
  public func imageRoundSumsEntryPoint(
    _ sums: UnsafePointer<Float>, _ count: Int, _ bytes: UnsafeMutablePointer<UInt8>
  ) {
    roundSums(sums, count: count, into: bytes)
  }

  /// Averages a row of blocks of pixels.
  @_cdecl("swiftlet_image_average_blocks")
  public func imageAverageBlocksEntryPoint(
    _ source: UnsafeRawPointer, _ bytesPerRow: Int, _ pixelBytes: Int, _ across: Int, _ down: Int, _ count: Int,
    _ bytes: UnsafeMutablePointer<UInt8>
  ) {
    averageBlocks(
      source, bytesPerRow: bytesPerRow, pixelBytes: pixelBytes, across: across, down: down, count: count, into: bytes)
  }

  /// Determines the categories of pixels.
  @_cdecl("swiftlet_image_categories")
  public func imageCategoriesEntryPoint(
    _ scores: UnsafePointer<Float>, _ count: Int, _ channels: Int, _ threshold: Float,
    _ output: UnsafeMutablePointer<UInt16>
  ) {
    categories(of: scores, count: count, channels: channels, threshold: threshold, into: output)
  }

  /// Determines the categories of a row of a mask. `row` points to a `CategoryRow`.
  @_cdecl("swiftlet_image_fill_categories")
  public func imageFillCategoriesEntryPoint(_ row: UnsafeRawPointer, _ output: UnsafeMutablePointer<UInt8>) {
    fillCategories(row.loadUnaligned(as: CategoryRow.self), into: output)
  }

  /// Converts pixels to another format. `conversion` points to a `PixelConversion`.
  @_cdecl("swiftlet_image_convert_pixels")
  public func imageConvertPixelsEntryPoint(
    _ conversion: UnsafeRawPointer, _ count: Int, _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>
  ) {
    convertPixels(conversion.loadUnaligned(as: PixelConversion.self), count: count, source, into: target)
  }

  /// Converts luma and chroma to color. `conversion` points to a `ChromaConversion`.
  @_cdecl("swiftlet_image_convert_chroma")
  public func imageConvertChromaEntryPoint(
    _ conversion: UnsafeRawPointer, _ count: Int, _ luma: UnsafePointer<UInt8>, _ chroma: UnsafePointer<UInt8>,
    _ target: UnsafeMutablePointer<UInt8>
  ) {
    convertChroma(
      conversion.loadUnaligned(as: ChromaConversion.self), count: count, luma: luma, chroma: chroma, into: target)
  }

  /// Copies pixels at a distance from each other.
  @_cdecl("swiftlet_image_move_pixels")
  public func imageMovePixelsEntryPoint(
    _ source: UnsafePointer<UInt8>, _ stride: Int, _ count: Int, _ pixelBytes: Int,
    _ target: UnsafeMutablePointer<UInt8>
  ) {
    movePixels(source, stride: stride, count: count, pixelBytes: pixelBytes, into: target)
  }

  /// Interpolates between pixels of a line. `taps` points to `FixedPointTap`s.
  @_cdecl("swiftlet_image_mix_pixels")
  public func imageMixPixelsEntryPoint(
    _ line: UnsafePointer<UInt8>, _ taps: UnsafeRawPointer, _ count: Int, _ pixelBytes: Int,
    _ sums: UnsafeMutablePointer<Int32>
  ) {
    mixPixels(line, taps.assumingMemoryBound(to: FixedPointTap.self), count: count, pixelBytes: pixelBytes, into: sums)
  }

  /// Interpolates between two lines of sums.
  @_cdecl("swiftlet_image_mix_lines")
  public func imageMixLinesEntryPoint(
    _ upper: UnsafePointer<Int32>, _ lower: UnsafePointer<Int32>, _ upperWeight: Int32, _ lowerWeight: Int32,
    _ count: Int, _ target: UnsafeMutablePointer<UInt8>
  ) {
    mixLines(upper, lower, upperWeight, lowerWeight, count: count, into: target)
  }
#endif
