// The tasks on single images, as apps in Objective-C call them. Tools/apple-branches/objective-c checks the types.
@import MediaPipeTasksCommon;
@import MediaPipeTasksVision;
@import UIKit;

@interface PhotoTasks : NSObject
@property(nonatomic, readonly) MPPObjectDetector *objectDetector;
@property(nonatomic, readonly) MPPFaceDetector *faceDetector;
@property(nonatomic, readonly) MPPImageSegmenter *imageSegmenter;
@property(nonatomic, readonly) MPPImageEmbedder *imageEmbedder;
@end

@implementation PhotoTasks

- (nullable instancetype)initWithModelPath:(NSString *)modelPath error:(NSError **)error {
  self = [super init];
  MPPObjectDetectorOptions *objects = [[MPPObjectDetectorOptions alloc] init];
  objects.baseOptions.modelAssetPath = modelPath;
  objects.baseOptions.delegate = MPPDelegateCPU;
  objects.runningMode = MPPRunningModeImage;
  objects.displayNamesLocale = @"en";
  objects.maxResults = 5;
  objects.scoreThreshold = 0.5;
  objects.categoryAllowlist = @[ @"cat" ];
  _objectDetector = [[MPPObjectDetector alloc] initWithOptions:objects error:error];

  MPPFaceDetectorOptions *faces = [[MPPFaceDetectorOptions alloc] init];
  faces.minDetectionConfidence = 0.5;
  faces.minSuppressionThreshold = 0.3;
  _faceDetector = [[MPPFaceDetector alloc] initWithOptions:faces error:error];

  MPPImageSegmenterOptions *masks = [[MPPImageSegmenterOptions alloc] init];
  masks.shouldOutputCategoryMask = YES;
  masks.shouldOutputConfidenceMasks = NO;
  _imageSegmenter = [[MPPImageSegmenter alloc] initWithOptions:masks error:error];

  _imageEmbedder = [[MPPImageEmbedder alloc] initWithModelPath:modelPath error:error];
  return self;
}

- (nullable NSString *)nameOfBestObjectInImage:(UIImage *)photo error:(NSError **)error {
  MPPImage *image = [[MPPImage alloc] initWithUIImage:photo error:error];
  if (image.imageSourceType != MPPImageSourceTypeImage || image.orientation != UIImageOrientationUp) return nil;
  MPPObjectDetectorResult *result = [self.objectDetector detectImage:image error:error];
  MPPDetection *detection = result.detections.firstObject;
  if (detection.boundingBox.size.width < image.width / 2) return nil;
  return detection.categories.firstObject.categoryName;
}

- (CGPoint)noseInImage:(MPPImage *)image error:(NSError **)error {
  MPPFaceDetectorResult *result = [self.faceDetector detectImage:image error:error];
  MPPNormalizedKeypoint *nose = result.detections.firstObject.keypoints[2];
  return nose.location;
}

- (void)segmentImage:(MPPImage *)image {
  [self.imageSegmenter segmentImage:image
              withCompletionHandler:^(MPPImageSegmenterResult *_Nullable result, NSError *_Nullable error) {
                if (error.code == MPPTasksErrorCodeInvalidArgumentError) return;
                MPPMask *mask = result.categoryMask;
                const UInt8 *classes = mask.uint8Data;
                (void)(mask.dataType == MPPMaskDataTypeUInt8 && classes[mask.width * mask.height - 1]);
              }];
}

- (nullable NSNumber *)similarityOfImage:(MPPImage *)first toImage:(MPPImage *)second error:(NSError **)error {
  MPPEmbedding *one = [self.imageEmbedder embedImage:first error:error].embeddingResult.embeddings.firstObject;
  MPPEmbedding *two = [self.imageEmbedder embedImage:second error:error].embeddingResult.embeddings.firstObject;
  return [MPPImageEmbedder cosineSimilarityBetweenEmbedding1:one andEmbedding2:two error:error];
}

@end
